/** Runs before each test file. Files share the modules of a worker; what else they create ends with them. */
import { afterAll } from "vitest";
import { removeTempFolders } from "./solx.ts";
import "./string-width.ts";

afterAll(removeTempFolders);
