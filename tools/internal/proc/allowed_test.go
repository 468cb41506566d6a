package proc

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestChildrenGetWhatIsKnownToBeNeededOnly(t *testing.T) {
	canaries := []string{
		"MY_APPLICATION=canary", "CUSTOMER=canary", "X=canary", "INTERNAL_HOST=canary", "AWS_PROFILE=canary", "KUBECONFIG=canary",
		"VAULT_ADDR=canary", "GITHUB_ENV=canary", "NOTIFY_SOCKET=canary", "GODADDY_LOGIN=canary", "GOOGLE_CLOUD_PROJECT=canary",
		"PATHS=canary", "HOMES=canary", "_=canary", "NuGetPackageSourceCredentials_x=canary",
		"NPM_CONFIG__AUTH=canary", "npm_config__authToken=canary", "npm_config_//registry.example.org/:_password=canary", "npm_config_otp=canary",
		"CARGO_REGISTRY_TOKEN=canary", "PIP_INDEX_URL=https://canary@example.org/simple", "PIP_EXTRA_INDEX_URL=https://a.org/ https://u:canary@b.org/",
		"GOPROXY=https://proxy.golang.org,https://me:canary@example.org", "BUNDLE_GEMS__EXAMPLE__ORG=me:canary", "POETRY_HTTP_BASIC_X_PASSWORD=canary",
		"MAVEN_OPTS=-Xmx1g -Drepo.Password=canary", "JAVA_TOOL_OPTIONS=-Dtoken=canary", "GOFLAGS=-ldflags=-X=main.apiKey=canary", "HOMEBREW_GITHUB_API_TOKEN=canary",
		"UV_PUBLISH_TOKEN=canary", "COMPOSER_AUTH=canary", "DENO_AUTH_TOKENS=canary", "NODE_AUTH_TOKEN=canary", "XDG_THING=eyJhbGciOiJIUzI1NiJ9.canary",
		"CLOUDSDK_AUTH_ACCESS_TOKEN=canary", "HEX_API_KEY=canary", "PYTHONSECRET=canary", "RUST_THING=npm_canary", "CI_THING=canary", "GIT_PREFIX=canary",
	}
	result, err := Run(t.Context(), Command{Name: "env", Dir: "/", Environ: append(os.Environ(), canaries...)})
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(result.Stdout.Text()) {
		if strings.Contains(line, "canary") {
			t.Errorf("the child was given %s", line)
		}
	}
	secrets, unknown := Withheld(canaries)
	named := append(slices.Clone(secrets), unknown...)
	for _, canary := range canaries {
		name, _, _ := strings.Cut(canary, "=")
		if !slices.Contains(named, name) && name != "_" && name != "GIT_PREFIX" {
			t.Errorf("no one is reported that %s is withheld", name)
		}
	}
	if !slices.Contains(secrets, "NPM_CONFIG__AUTH") || !slices.Contains(unknown, "CUSTOMER") || slices.Contains(unknown, "CARGO_REGISTRY_TOKEN") {
		t.Errorf("secrets %q, unknown %q", secrets, unknown)
	}
	if strings.Contains(strings.Join(named, " "), "canary") {
		t.Errorf("values are told: %q", named)
	}
}

func TestHarmlessVariablesAreNoSecrets(t *testing.T) {
	for _, entry := range []string{
		"KEYBOARD=de", "URL=https://example.org/a:b@c", "GIT_SSH_COMMAND=ssh -i ~/.ssh/id", "XAUTHORITY=/home/me/.Xauthority", "GOAUTH=netrc",
		"REMOTE=ssh://git@example.org/x", "GOPROXY=https://a.example.org,https://b.example.org,direct", "PATTERN=x", "COLORS=*.go=01", "PWD=/home/me",
		"MAKEFLAGS= -j8 --jobserver-auth=3,4", "TZ=Asia/Tokyo", "HTTPS_PROXY=http://me:pw@proxy:3128", "HIST=http://", "A=@://@", "B=://:@",
	} {
		if name, value, _ := strings.Cut(entry, "="); secret(name, value) {
			t.Errorf("%s is a secret", entry)
		}
	}
}

func TestEveryFamilyHasItsMembers(t *testing.T) {
	for _, name := range []string{
		"HOME", "LC_ALL", "LC_PAPER", "TZ", "TMPDIR", "XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "https_proxy", "NO_PROXY", "no_proxy",
		"SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "GIT_AUTHOR_NAME", "GOFLAGS", "GOTOOLCHAIN", "CGO_ENABLED", "CARGO_HOME", "RUSTUP_HOME", "RUST_BACKTRACE",
		"NODE_OPTIONS", "npm_config_cache", "NPM_CONFIG_REGISTRY", "PYTHONPATH", "PIP_CACHE_DIR", "JAVA_HOME", "MAVEN_OPTS", "GRADLE_USER_HOME", "DOTNET_ROOT",
		"CC", "CXX", "CFLAGS", "CPPFLAGS", "LDFLAGS", "MAKEFLAGS", "PKG_CONFIG_PATH", "CMAKE_PREFIX_PATH", "CI", "NO_COLOR",
		"SystemRoot", "ComSpec", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP", "ProgramFiles", "ProgramFiles(x86)", "Path",
	} {
		if !allowed(name) {
			t.Errorf("children do not get %s", name)
		}
	}
	for _, name := range []string{"", "*", "_", "=", "\xff", "HOME ", "LCALL", "PROXY"} {
		if allowed(name) {
			t.Errorf("children get %q", name)
		}
	}
}

func TestUserMayPassNamedVariables(t *testing.T) {
	_, environ := childEnviron(Command{Dir: "/", Environ: []string{
		"MARVIN_PASS_ENV=SSH_AUTH_SOCK,NPM_TOKEN", "SSH_AUTH_SOCK=/agent", "NPM_TOKEN=x", "PYPI_TOKEN=y",
	}})
	if !slices.Contains(environ, "SSH_AUTH_SOCK=/agent") || !slices.Contains(environ, "NPM_TOKEN=x") || slices.Contains(environ, "PYPI_TOKEN=y") {
		t.Errorf("passed %q", environ)
	}
}

func TestUserMayPassPatterns(t *testing.T) {
	given := []string{
		"MYAPP_MODE=test", "MYAPP_API_KEY=canary", "MYAPP_URL=postgres://me:canary@db", "THEIRS=x", "GIT_DIR=/elsewhere", "MARVIN_ANY=x", "DEPLOY_TOKEN=named", "Z=1",
	}
	for passed, want := range map[string]string{
		"MYAPP_*, DEPLOY_TOKEN": "MYAPP_MODE DEPLOY_TOKEN", "*": "MYAPP_MODE THEIRS Z", "MYAPP_*,MYAPP_API_KEY": "MYAPP_MODE MYAPP_API_KEY",
		"": "", " , ,": "", "[": "", "?": "Z", "myapp_*": "", "MYAPP_": "", "GIT_*,MARVIN_*": "",
	} {
		_, environ := childEnviron(Command{Dir: "/", Environ: append(slices.Clone(given), "MARVIN_PASS_ENV="+passed)})
		var got []string
		for _, entry := range given {
			if slices.Contains(environ, entry) {
				name, _, _ := strings.Cut(entry, "=")
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q passes %q, not %q", passed, got, want)
		}
	}
}

func TestBuildsAndCommitsWork(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	for name, content := range map[string]string{
		"go.mod": "module small\n\ngo 1.24\n", "main.go": "package main\n\nfunc main() { println(\"built\") }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cache, err := exec.Command("go", "env", "GOCACHE").Output() // otherwise everything is compiled again
	if err != nil {
		t.Fatal(err)
	}
	environ := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GOCACHE=" + strings.TrimSpace(string(cache)), "GOFLAGS=-mod=mod", "GOTOOLCHAIN=local", "GOPROXY=off",
		"GIT_AUTHOR_NAME=Ann Author", "GIT_AUTHOR_EMAIL=ann@example.org", "GIT_COMMITTER_NAME=Carl", "GIT_COMMITTER_EMAIL=carl@example.org",
		"GIT_DIR=/elsewhere", "LATIN=\xe4\xff",
	}
	result, err := Run(t.Context(), Command{Dir: dir, Environ: environ, Shell: `set -e
go env GOFLAGS GOPROXY
go build -o small . && ./small
git init -q && git add . && git commit -qm first && git log -1 --format='%an <%ae> %cn'`})
	if want := "-mod=mod\noff\nAnn Author <ann@example.org> Carl\n"; err != nil || result.ExitCode != 0 || result.Stdout.Text() != want || result.Stderr.Text() != "built\n" {
		t.Errorf("%d, %v\n%s\n%s", result.ExitCode, err, result.Stdout.Text(), result.Stderr.Text())
	}
}
