class Solx < Formula
  desc "{{summary}}"
  homepage "{{homepage}}"
  url "{{download}}/solx-{{version}}.tgz"
  sha256 "{{sha256 solx-{version}.tgz}}"
  license "{{license}}"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec/"bin/solx"
    generate_completions_from_executable(bin/"solx", "completion")
    man1.install_symlink Dir[libexec/"lib/node_modules/solx/dist/man/man1/*.1"]
    man7.install_symlink Dir[libexec/"lib/node_modules/solx/dist/man/man7/*.7"]
  end

  test do
    ENV["SOLX_SANDBOX_SIZE"] = "0.02"
    assert_match version.to_s, shell_output("#{bin}/solx --version")
    assert_match "blockHeight", shell_output("#{bin}/solx chaininfo --sandbox")
  end
end
