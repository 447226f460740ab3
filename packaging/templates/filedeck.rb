# A terminal file manager for a cloud file store and its CRM limits.
class Filedeck < Formula
  desc "Terminal file manager for a cloud file store and its CRM limits"
  homepage "@HOMEPAGE@"
  version "@VERSION@"
  license "MIT"

  on_macos do
    on_arm do
      url "@URL@/filedeck-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256 filedeck-@VERSION@-aarch64-apple-darwin.tar.gz@"
    end
    on_intel do
      url "@URL@/filedeck-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256 filedeck-@VERSION@-x86_64-apple-darwin.tar.gz@"
    end
  end

  on_linux do
    on_arm do
      url "@URL@/filedeck-@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 filedeck-@VERSION@-aarch64-unknown-linux-musl.tar.gz@"
    end
    on_intel do
      url "@URL@/filedeck-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 filedeck-@VERSION@-x86_64-unknown-linux-musl.tar.gz@"
    end
  end

  def install
    bin.install "filedeck"
    man1.install Dir["share/man/man1/*.1"]
    bash_completion.install "share/bash-completion/completions/filedeck"
    fish_completion.install "share/fish/vendor_completions.d/filedeck.fish"
    zsh_completion.install "share/zsh/site-functions/_filedeck"
  end

  test do
    assert_equal "filedeck #{version}", shell_output("#{bin}/filedeck --version").strip
    ENV["FILEDECK_DATA_DIR"] = testpath/"data"
    ENV["FILEDECK_STATE_DIR"] = testpath/"state"
    (testpath/"a.txt").write "a"
    system bin/"filedeck", "put", "--account", "local", "a.txt", "/in/"
    assert_equal "a", shell_output("#{bin}/filedeck cat --account local /in/a.txt")
  end
end
