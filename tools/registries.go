package tools

import (
	"bufio"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// registries are the hosts from which package managers fetch: a command may always speak to
// them. Whoever can publish there needs a login, which the sandbox hides. The name of a
// package tells its registry something too: see docs/safety.md.
var registries = []struct{ host, reason string }{
	{"proxy.golang.org", "Go modules"},
	{"sum.golang.org", "the checksums of Go modules"},
	{"registry.npmjs.org", "npm, pnpm and bun"},
	{"registry.yarnpkg.com", "yarn"},
	{"repo.yarnpkg.com", "releases of yarn, for corepack"},
	{"pypi.org", "the index of Python packages"},
	{"files.pythonhosted.org", "Python packages"},
	{"crates.io", "the index of Rust crates"},
	{"index.crates.io", "the index of Rust crates"},
	{"static.crates.io", "Rust crates"},
	{"static.rust-lang.org", "toolchains of Rust, for rustup"},
	{"rubygems.org", "Ruby gems"},
	{"index.rubygems.org", "the index of Ruby gems"},
	{"repo.maven.apache.org", "Maven Central"},
	{"repo1.maven.org", "Maven Central"},
	{"plugins.gradle.org", "plugins of Gradle"},
	{"services.gradle.org", "releases of Gradle, for its wrapper"},
	{"api.nuget.org", "NuGet"},
	{"repo.packagist.org", "packages of PHP, for Composer"},
	{"packagist.org", "packages of PHP"},
	{"repo.hex.pm", "packages of Elixir and Erlang"},
	{"hackage.haskell.org", "packages of Haskell"},
	{"pub.dev", "packages of Dart"},
	{"conda.anaconda.org", "packages of conda"},
	{"repo.anaconda.com", "packages of conda"},
	{"deb.debian.org", "packages of Debian"},
	{"security.debian.org", "security updates of Debian"},
	{"archive.ubuntu.com", "packages of Ubuntu"},
	{"security.ubuntu.com", "security updates of Ubuntu"},
	{"dl-cdn.alpinelinux.org", "packages of Alpine"},
}

// registryVariables are those by which a user names registries of their own.
var registryVariables = []string{
	"GOPROXY", "GOSUMDB", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX", "npm_config_registry", "NPM_CONFIG_REGISTRY",
	"YARN_REGISTRY", "YARN_NPM_REGISTRY_SERVER", "CARGO_REGISTRIES_CRATES_IO_INDEX", "BUNDLE_MIRROR__ALL",
}

// registryFiles are the user's own files, below the home directory, that name registries.
// Those of a project are not read: they come from wherever the project came.
var registryFiles = []string{".npmrc", ".yarnrc", ".yarnrc.yml", ".pip/pip.conf", ".config/pip/pip.conf", ".config/uv/uv.toml", ".cargo/config.toml", ".config/go/env", ".m2/settings.xml", ".gemrc"}

// registryWords are in the lines of these files that name a registry.
var registryWords = []string{"registry", "index", "goproxy", "<url>", "npmregistryserver", "sources"}

// mostRegistryFile bounds how much is read of such a file.
const mostRegistryFile = 256 << 10

// isRegistry says whether a host is one of package managers, or one of the user's own.
func (e Env) isRegistry(host string) bool {
	for _, one := range registries {
		if one.host == host {
			return true
		}
	}
	for _, name := range registryVariables {
		if slices.Contains(hostsIn(e.Variable(name)), host) {
			return true
		}
	}
	for _, name := range registryFiles {
		if e.Home != "" && slices.Contains(registriesOf(filepath.Join(e.Home, name)), host) {
			return true
		}
	}
	return false
}

// registriesOf are the hosts of the addresses in the lines of a file that speak of a registry.
// A file that cannot be read names none.
func registriesOf(path string) (hosts []string) {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > mostRegistryFile {
		return nil
	}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		text := strings.TrimSpace(lines.Text())
		lower := strings.ToLower(text)
		comment := strings.HasPrefix(text, "#") || strings.HasPrefix(text, ";")
		if !comment && slices.ContainsFunc(registryWords, func(word string) bool { return strings.Contains(lower, word) }) {
			hosts = append(hosts, hostsIn(text)...)
		}
	}
	return hosts
}

// hostsIn are the hosts of the addresses of the web in a text.
func hostsIn(text string) (hosts []string) {
	for _, field := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t,|\"'<>=", r) }) {
		at := strings.Index(field, "http")
		if at < 0 {
			continue
		}
		if parsed, err := url.Parse(field[at:]); err == nil && (parsed.Scheme == "http" || parsed.Scheme == "https") && parsed.Hostname() != "" {
			hosts = append(hosts, strings.ToLower(parsed.Hostname()))
		}
	}
	return hosts
}
