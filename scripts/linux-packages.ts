/** Packages for Debian, Fedora and their derivatives: an executable with its manual, completion and licences. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { readManifest, readVersionDate } from "./manifest.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

const { name, version, summary, description, homepage, license, author, repository } = readManifest();
const [, owner] = /github\.com\/([\w-]+)/.exec(repository.url) ?? [];
/** The rest of the description as a sentence. */
const details = description
  .slice(summary.length)
  .replace(/^: (.)(.*)/, (_: string, first: string, rest: string) => `${first.toUpperCase()}${rest}.`);
const maintainer = `${author} <${owner}@users.noreply.github.com>`;
const date = new Date(readVersionDate());
/** Versions before a release sort before it. */
const upstream = version.replace("-", "~");

/** What a package is made of. */
export interface PackageParts {
  /** The processor, as `process.arch` has it. */
  readonly arch: "x64" | "arm64";
  /** Paths of the executable and of a text with all licences. */
  readonly executable: string;
  readonly licences: string;
  /** The folder to write to. */
  readonly output: string;
}

/** Writes a `.deb` and returns its path. Throws when `dpkg-deb` is missing. */
export function packDeb({ arch, executable, licences, output }: PackageParts): string {
  const architecture = { x64: "amd64", arm64: "arm64" }[arch];
  const file = join(output, `${name}_${upstream}-1_${architecture}.deb`);
  return inRoot(executable, "vendor-completions", (root, write) => {
    const doc = `usr/share/doc/${name}`;
    write(`${doc}/copyright`, readFileSync(licences));
    write(`${doc}/changelog.gz`, compress(readFileSync(join(ROOT, "CHANGELOG.md"))));
    const entry = `${name} (${upstream}-1) stable; urgency=medium\n\n  * Version ${version}: see changelog.gz\n`;
    const signature = ` -- ${maintainer}  ${date.toUTCString().replace("GMT", "+0000")}\n`;
    write(`${doc}/changelog.Debian.gz`, compress(`${entry}\n${signature}`));
    const size = Number(execFileSync("du", ["-sk", root], { encoding: "utf8" }).split("\t")[0]);
    const fields = {
      ...{ Package: name, Version: `${upstream}-1`, Architecture: architecture, Maintainer: maintainer },
      ...{ "Installed-Size": size, Depends: "libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 8)" },
      ...{ Section: "utils", Priority: "optional", Homepage: homepage, Description: `${summary}\n ${details}` },
    };
    const control = Object.entries(fields).map(([field, value]) => `${field}: ${value}\n`);
    write("DEBIAN/control", control.join(""));
    // Every version of dpkg reads xz; Ubuntu's writes zstd by default.
    run("dpkg-deb", ["--build", "--root-owner-group", "-Zxz", root, file]);
    return file;
  });
}

/** Writes an `.rpm` and returns its path. Throws when `rpmbuild` is missing. */
export function packRpm({ arch, executable, licences, output }: PackageParts): string {
  const architecture = { x64: "x86_64", arm64: "aarch64" }[arch];
  const file = `${name}-${upstream}-1.${architecture}.rpm`;
  return inRoot(executable, "site-functions", (root, write) => {
    write(`usr/share/licenses/${name}/LICENSE`, readFileSync(licences));
    write(`usr/share/doc/${name}/CHANGELOG.md`, readFileSync(join(ROOT, "CHANGELOG.md")));
    const owned = ["licenses", "doc"].map((folder) => `/usr/share/${folder}/${name}\n`);
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = files.map((entry) => join(entry.parentPath, entry.name).slice(root.length));
    const spec = join(dirname(root), `${name}.spec`);
    writeFileSync(
      spec,
      `# The executable must not be changed, and has no symbols to separate.
%global debug_package %{nil}
%global __os_install_post %{nil}
%global _build_id_links none
Name: ${name}
Version: ${upstream}
Release: 1
Summary: ${summary}
License: ${license}
URL: ${homepage}
%description
${details}
%install
cp -a ${root}/. %{buildroot}
%files
${paths.filter((path) => !path.includes(`/${name}/`)).join("\n")}
%license ${owned[0]}
%doc ${owned[1]}`,
    );
    const settings = {
      ...{ _topdir: join(dirname(root), "rpm"), _rpmdir: output, _build_name_fmt: file, _buildhost: "localhost" },
      ...{ _binary_payload: "w10.zstdio", use_source_date_epoch_as_buildtime: 1, clamp_mtime_to_source_date_epoch: 1 },
    };
    const defines = Object.entries(settings).map(([setting, value]) => `--define=${setting} ${value}`);
    run("rpmbuild", ["-bb", "--quiet", `--target=${architecture}-linux`, ...defines, spec]);
    return join(output, file);
  });
}

type Write = (path: string, content: string | Buffer) => void;

/** Calls a function with a temporary root that has the installed files, and a function that writes others. */
function inRoot(executable: string, zsh: string, use: (root: string, write: Write) => string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-linux-`));
  const root = join(folder, "root");
  const write: Write = (path, content) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  try {
    write(`usr/bin/${name}`, "");
    copyFileSync(executable, join(root, "usr/bin", name));
    const man = readdirSync(join(ROOT, "dist/man"), { recursive: true, encoding: "utf8" });
    for (const page of man.filter((path) => /\.\d$/.test(path)))
      write(`usr/share/man/${page}.gz`, compress(readFileSync(join(ROOT, "dist/man", page))));
    const completions = {
      [`bash-completion/completions/${name}`]: `${name}.bash`,
      [`fish/vendor_completions.d/${name}.fish`]: `${name}.fish`,
      [`zsh/${zsh}/_${name}`]: `_${name}`,
    };
    for (const [path, script] of Object.entries(completions))
      write(`usr/share/${path}`, readFileSync(join(ROOT, "dist/completion", script)));
    run("chmod", ["-R", "u=rwX,go=rX", root]);
    run("chmod", ["755", join(root, "usr/bin", name)]);
    return use(root, write);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const compress = (content: string | Buffer) => gzipSync(content, { level: 9 });

/** Runs a program. The same version gives the same package on every day. */
function run(program: string, args: readonly string[]): void {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(date.getTime() / 1000) };
  execFileSync(program, [...args], { env, stdio: ["ignore", "ignore", "inherit"] });
}
