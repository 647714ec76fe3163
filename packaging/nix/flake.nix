{
  description = "{{description}}";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      packageFor =
        pkgs:
        pkgs.stdenvNoCC.mkDerivation {
          pname = "solx";
          version = "{{version}}";
          src = pkgs.fetchurl {
            url = "{{download}}/solx-{{version}}-standalone.tgz";
            sha256 = "{{sha256 solx-{version}-standalone.tgz}}";
          };
          nativeBuildInputs = [
            pkgs.installShellFiles
            pkgs.makeWrapper
          ];
          dontBuild = true;
          installPhase = ''
            runHook preInstall
            mkdir -p $out/lib/solx
            cp -r . $out/lib/solx
            makeWrapper ${pkgs.nodejs}/bin/node $out/bin/solx --add-flags $out/lib/solx/bin/solx.js
            installManPage dist/man/man1/*.1 dist/man/man7/*.7
            installShellCompletion --cmd solx \
              --bash dist/completion/solx.bash \
              --zsh dist/completion/_solx \
              --fish dist/completion/solx.fish
            runHook postInstall
          '';
          meta = {
            homepage = "{{homepage}}";
            license = pkgs.lib.licenses.mit;
            mainProgram = "solx";
          };
        };
    in
    {
      packages = nixpkgs.lib.genAttrs systems (system: {
        default = packageFor nixpkgs.legacyPackages.${system};
      });
    };
}
