package tools

import (
	"bufio"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// registries lists the package registries that commands are always allowed to contact. Publishing a
// package requires a login, but the sandbox hides logins. Even a package name can carry data to a
// registry; see docs/safety.md.
var registries = []struct{ host, reason string }{
	{"proxy.golang.org", "Go modules"},
	{"sum.golang.org", "the checksums of Go modules"},
	{"registry.npmjs.org", "npm, pnpm and bun"},
	{"registry.yarnpkg.com", "yarn"},
	{"repo.yarnpkg.com", "Yarn releases, for corepack"},
	{"pypi.org", "the Python package index"},
	{"files.pythonhosted.org", "Python packages"},
	{"crates.io", "the index of Rust crates"},
	{"index.crates.io", "the index of Rust crates"},
	{"static.crates.io", "Rust crates"},
	{"static.rust-lang.org", "Rust toolchains, for rustup"},
	{"rubygems.org", "Ruby gems"},
	{"index.rubygems.org", "the index of Ruby gems"},
	{"repo.maven.apache.org", "Maven Central"},
	{"repo1.maven.org", "Maven Central"},
	{"plugins.gradle.org", "plugins of Gradle"},
	{"services.gradle.org", "Gradle releases, for the Gradle wrapper"},
	{"api.nuget.org", "NuGet"},
	{"repo.packagist.org", "PHP packages, for Composer"},
	{"packagist.org", "packages of PHP"},
	{"repo.hex.pm", "Elixir and Erlang packages"},
	{"hackage.haskell.org", "packages of Haskell"},
	{"pub.dev", "packages of Dart"},
	{"conda.anaconda.org", "packages of conda"},
	{"repo.anaconda.com", "packages of conda"},
	{"deb.debian.org", "packages of Debian"},
	{"security.debian.org", "Debian security updates"},
	{"archive.ubuntu.com", "packages of Ubuntu"},
	{"security.ubuntu.com", "Ubuntu security updates"},
	{"dl-cdn.alpinelinux.org", "packages of Alpine"},
}

// registryVariables are the environment variables that name the user's own registries.
var registryVariables = []string{
	"GOPROXY", "GOSUMDB", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX", "npm_config_registry", "NPM_CONFIG_REGISTRY",
	"YARN_REGISTRY", "YARN_NPM_REGISTRY_SERVER", "CARGO_REGISTRIES_CRATES_IO_INDEX", "BUNDLE_MIRROR__ALL",
}

// registryFiles lists the user's files that name registries. A project's files are not read,
// because anyone could have written them.
var registryFiles = []string{".npmrc", ".yarnrc", ".yarnrc.yml", ".pip/pip.conf", ".config/pip/pip.conf", ".config/uv/uv.toml", ".cargo/config.toml", ".config/go/env", ".m2/settings.xml", ".gemrc"}

// registryWords are the words that registriesOf searches for in each line.
var registryWords = []string{"registry", "index", "goproxy", "<url>", "npmregistryserver", "sources"}

// mostRegistryFile is the maximum size of a registry file, in bytes. Larger files are ignored.
const mostRegistryFile = 256 << 10

// isRegistry reports whether a host is a well-known package registry or one of the user's own
// registries.
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
	return slices.ContainsFunc(registryFiles, func(name string) bool {
		return e.Home != "" && slices.Contains(registriesOf(filepath.Join(e.Home, name)), host)
	})
}

// registriesOf returns the registry hosts in a configuration file, or nil if the file is too large
// or unreadable. It considers only lines that contain one of registryWords and are not comments.
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

// hostsIn returns the hosts of the web addresses in text.
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
