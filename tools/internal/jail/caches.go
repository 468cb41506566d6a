package jail

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"marvin/tools/internal/envvar"
	"marvin/tools/internal/jail/internal/disk"
)

// cacheDirs lists the cache directories of compilers and package managers; docs/sandbox.md shows
// the list. cacheDirs omits directories in which shells look for programs (~/.cargo/bin, ~/go/bin,
// ~/.local/bin). Builds need each directory with "own: true", so the jail provides a substitute if
// the directory is missing or not shared. A directory with "private: true" is never shared as a
// whole, and gets a substitute only if it is missing.
var cacheDirs = [...]cacheDir{
	{variable: "GOCACHE", path: ".cache/go-build", own: true},
	{variable: "GOMODCACHE", path: "go/pkg/mod", own: true},
	{variable: "GOPATH", below: "pkg/sumdb", path: "go/pkg/sumdb"},
	{variable: "GOPATH", path: "go", own: true, private: true}, // pkg/sumdb has no variable of its own
	{variable: "npm_config_cache", path: ".npm", own: true, runner: "npx"},
	{variable: "YARN_CACHE_FOLDER", path: ".cache/yarn"},
	{variable: "npm_config_store_dir", path: ".local/share/pnpm/store"},
	{variable: "COREPACK_HOME", path: ".cache/node"},
	{variable: "PIP_CACHE_DIR", path: ".cache/pip"},
	{variable: "UV_CACHE_DIR", path: ".cache/uv", own: true, runner: "uvx"},
	{variable: "RUFF_CACHE_DIR", path: ".cache/ruff"},
	{variable: "CARGO_HOME", below: "registry", path: ".cargo/registry"},
	{variable: "CARGO_HOME", below: "git", path: ".cargo/git"},
	{variable: "CCACHE_DIR", path: ".cache/ccache"},
	{variable: "SCCACHE_DIR", path: ".cache/sccache"},
	{variable: "GRADLE_USER_HOME", below: "caches", path: ".gradle/caches"},
	{variable: "GRADLE_USER_HOME", below: "daemon", path: ".gradle/daemon"},
	{variable: "", path: ".m2/repository"},
	{variable: "NUGET_PACKAGES", path: ".nuget/packages"},
	{variable: "GOLANGCI_LINT_CACHE", path: ".cache/golangci-lint"},
	{variable: "STATICCHECK_CACHE", path: ".cache/staticcheck"},
	{variable: "", path: ".cache/gopls"},
	{variable: "", path: ".cache/goimports"},
	{variable: "", path: ".cache/typescript"},
	{variable: "", path: ".cache/bazel"},
}

type cacheDir struct {
	variable, below string // an environment variable, and a path relative to its value
	path            string // the default path, relative to the home directory
	own, private    bool
	runner          string // a launcher such as npx, which downloads programs to the directory
}

// pathIn returns the path of the directory. It returns "" if home is "" and the environment
// variable has no value.
func (d cacheDir) pathIn(home string, environ []string) string {
	path := envvar.Lookup(environ, d.variable)
	if path != "" && d.below != "" {
		path = filepath.Join(path, d.below)
	}
	if path == "" && home != "" {
		path = filepath.Join(home, d.path)
	}
	return path
}

// MakeCache creates the cache directory of a runner, for example "npx". It must be called before
// the first jail is created.
func (k *Keeper) MakeCache(runner string) error {
	for _, dir := range cacheDirs {
		path := dir.pathIn(k.home(), k.config.Environ)
		if runner == "" || dir.runner != runner || !filepath.IsAbs(path) || k.config.Mode == Strict {
			continue
		}
		if err := os.MkdirAll(path, 0o755); err != nil {
			return fmt.Errorf("make the cache of %s: %w", runner, err)
		}
	}
	return nil
}

// cache is one directory from [cacheDirs], after [Keeper.shared] has resolved its path.
type cache struct {
	path     string   // the resolved path, or "" for a missing or unshared cache
	names    []string // names that are looked up on the way to the directory: see [passed]
	variable string   // the environment variable for the private cache, or ""
	instead  string   // the private cache, below the private directory
}

// shared resolves the paths in [cacheDirs] only once, because a command could later replace a path
// with a link. In the modes Strict and Off, no cache is shared.
func (k *Keeper) shared() []cache {
	k.once.Do(func() {
		home := k.home()
		for _, dir := range cacheDirs {
			path := dir.pathIn(home, k.config.Environ)
			var one cache
			if dir.own {
				one.variable, one.instead = dir.variable, "cache/"+filepath.Base(dir.path)
			}
			resolved, err := filepath.EvalSymlinks(path)
			if dir.private {
				if errors.Is(err, fs.ErrNotExist) {
					k.caches = append(k.caches, one)
				}
				continue
			}
			if err == nil && filepath.IsAbs(resolved) && k.config.Mode != Strict && k.config.Mode != Off &&
				resolved != "/" && (home == "" || !disk.Contains(home, resolved)) {
				one.path = resolved
				one.names, _ = passed(path)
			}
			k.caches = append(k.caches, one)
		}
	})
	return k.caches
}

// grantCaches makes the shared caches writable; a cache below the root needs no grant. It excludes
// a cache if a symbolic link below the root leads to it, because a project must not give access to
// outside paths. For a missing or excluded cache, the environment variable names a path in the
// private directory.
func (j *Jail) grantCaches() {
	p := &j.plan
	for _, one := range j.keeper.shared() {
		ofProject := p.Root != j.keeper.home() && slices.ContainsFunc(one.names, func(name string) bool { return disk.Contains(name, p.Root) })
		switch {
		case one.path != "" && !ofProject:
			p.Write = append(p.Write, one.path)
		case one.path != "" && disk.Contains(one.path, p.Root):
		case one.variable != "":
			j.ownCaches = append(j.ownCaches, one)
		}
	}
}

// lendCaches gives the program a private directory in place of each cache that its profile does not
// name.
func (j *Jail) lendCaches() {
	granted := slices.Concat(j.plan.Write, j.plan.Read)
	for _, one := range j.keeper.shared() {
		named := one.path != "" && slices.ContainsFunc(granted, func(tree string) bool {
			return disk.Contains(tree, one.path) || disk.Contains(one.path, tree)
		})
		if one.variable != "" && !named {
			j.ownCaches = append(j.ownCaches, one)
		}
	}
}
