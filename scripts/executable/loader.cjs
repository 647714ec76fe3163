// The main script of the single executable, and the first one of its worker threads. Modules are embedded as they are in
// the package, so that they load on demand and use the compile cache. Their URLs continue the path of the executable:
// nothing else can have them, because the executable is a file.
const { createRequire, registerHooks } = require("node:module");
const { getAsset } = require("node:sea");
const { pathToFileURL } = require("node:url");

const root = `${pathToFileURL(process.execPath)}/`;

registerHooks({
  resolve(specifier, context, next) {
    if (!isEmbedded(specifier) && !(isEmbedded(context.parentURL) && specifier.startsWith("."))) {
      return next(specifier, context);
    }
    return { url: new URL(specifier, context.parentURL).href, format: "module", shortCircuit: true };
  },
  load(url, context, next) {
    if (!isEmbedded(url)) return next(url, context);
    return { source: getAsset(url.slice(root.length), "utf8"), format: "module", shortCircuit: true };
  },
});

function isEmbedded(url) {
  return url?.startsWith(root);
}

// Here, `import()` reaches builtin modules only, and `require()` no module that awaits; in an embedded module it does.
const { importModule } = createRequire(process.execPath)(`${root}import.js`);
// The program starts itself for what needs a process or a thread of its own (src/base/program-files.ts).
const [, , first, script] = process.argv;
importModule(`${root}${first === "__script" ? script : "bin/solx.js"}`);
