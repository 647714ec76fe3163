/** The names of types as the API writes them: those of Anchor since 0.30. */
import type { Json } from "../../../base/index.ts";
import type { GenericArgument, IdlType } from "./model.ts";

/** Names by type: lists repeat the types of their items. */
const names = new WeakMap<IdlType, Json>();

/** Returns the name of a type. */
export function typeName(type: IdlType): Json {
  const known = names.get(type);
  if (known !== undefined) return known;
  const name = createName(type);
  names.set(type, name);
  return name;
}

function createName(type: IdlType): Json {
  switch (type.kind) {
    case "number":
      return type.format;
    case "bool":
    case "pubkey":
    case "bytes":
      return type.kind;
    case "text":
      return "string";
    case "struct":
    case "enum":
      return { kind: type.kind };
    case "tuple":
      return { tuple: type.items.map(typeName) };
    case "list":
      return listName(type);
    case "map":
      return { hashMap: [typeName(type.key), typeName(type.value)] };
    case "option":
      return type.fixed ? { coption: typeName(type.item) } : { option: typeName(type.item) };
    case "zeroable":
      return { option: typeName(type.item) };
    case "defined":
      return { defined: definedName(type) };
    case "generic":
      return { generic: type.name };
    case "unknown":
      return type.written;
    default:
      return typeName(type.item);
  }
}

function listName({ count, item }: IdlType & { kind: "list" }): Json {
  if (typeof count === "number") return { array: [typeName(item), count] };
  if (typeof count === "object" && "generic" in count) return { array: [typeName(item), { generic: count.generic }] };
  return { vec: typeName(item) };
}

function definedName({ name, generics }: IdlType & { kind: "defined" }): Json {
  return generics === undefined || generics.length === 0 ? { name } : { name, generics: generics.map(argumentName) };
}

const argumentName = (argument: GenericArgument): Json =>
  "type" in argument
    ? { kind: "type", type: typeName(argument.type) }
    : { kind: "const", value: String(argument.value) };
