package gitcmd

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marvin/messages/lists"
)

// Program is a program that git executes because a repository names it.
type Program struct {
	Kind string // "hook", "filter" or "signature"
	Name string // a name such as "pre-commit", "lfs" or "gpg"
	What string // the path or command line of the program
	Hash string // SHA-256 of the program's file, or of the command line if no file is known
}

// String returns a line for the user.
func (p Program) String() string {
	return fmt.Sprintf("%s %s: %s (sha256 %.12s)", p.Kind, p.Name, p.What, p.Hash)
}

// Digest returns a hash of all fields of all programs.
func Digest(programs []Program) string {
	sum := sha256.New()
	for _, each := range programs {
		fmt.Fprintf(sum, "%q %q %q %q\n", each.Kind, each.Name, each.What, each.Hash)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Disabled returns the programs that do not run because nothing can confine them.
func (r *Repository) Disabled() []Program { return r.without }

// Held reports whether the repository's programs run in the sandbox.
func (r *Repository) Held() bool { return r.hold == held }

// Hooks returns those of the given names that belong to executable hooks, or nil if hooks are
// disabled.
func (r *Repository) Hooks(names ...string) (there []string) {
	if r.hooks == "" || r.hold == silent {
		return nil
	}
	return lists.Filter(names, func(name string) bool { return isHook(filepath.Join(r.hooks, name)) })
}

func isHook(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// programs returns the programs that the repository makes git run: hook files, configured hooks,
// filters that apply to existing files, and the signing program from the repository's own
// configuration.
func (r *Repository) programs(ctx context.Context) (all []Program, err error) {
	entries, _ := os.ReadDir(r.hooks) // without the directory there are no hooks
	for _, entry := range entries {
		path := filepath.Join(r.hooks, entry.Name())
		if strings.HasSuffix(entry.Name(), ".sample") || !isHook(path) {
			continue
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read the hook %s: %w", path, err)
		}
		all = append(all, Program{Kind: "hook", Name: entry.Name(), What: path, Hash: hash(string(content))})
	}
	for _, each := range r.config {
		name, isCommand := strings.CutSuffix(strings.TrimPrefix(each.key, "hook."), ".command")
		if strings.HasPrefix(each.key, "hook.") && isCommand {
			all = append(all, Program{Kind: "hook", Name: name, What: each.value, Hash: hash(each.value)})
		}
	}
	for _, filter := range r.Filters {
		used, err := r.Read(ctx, "ls-files", "--cached", "--others", "--exclude-standard", "--", ":(top,attr:filter="+filter+")")
		if err != nil || used != "" { // git fails if the filter has an unusual name
			line := r.value("filter."+filter+".process") + r.value("filter."+filter+".clean")
			all = append(all, Program{Kind: "filter", Name: filter, What: line, Hash: hash(line)})
		}
	}
	if r.signsByProject() {
		line := r.value("gpg.program") + r.value("gpg.ssh.program") + r.value("gpg.openpgp.program") + r.value("gpg.x509.program")
		all = append(all, Program{Kind: "signature", Name: "gpg", What: line, Hash: hash(line)})
	}
	return all, nil
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// value returns the last configured value of a key. It ignores the settings that Marvin passes to
// git.
func (r *Repository) value(key string) string {
	for _, each := range slices.Backward(r.config) {
		if each.scope != "command" && strings.EqualFold(each.key, key) {
			return each.value
		}
	}
	return ""
}

// signsByProject reports whether the repository's own configuration sets a program that signs
// commits.
func (r *Repository) signsByProject() bool {
	return slices.ContainsFunc(r.config, func(each configured) bool {
		return (each.scope == "local" || each.scope == "worktree") && strings.HasPrefix(each.key, "gpg.") &&
			(strings.HasSuffix(each.key, ".program") || strings.HasSuffix(each.key, ".defaultkeycommand"))
	})
}

// isBelow resolves symbolic links, and reports whether path is dir or lies below dir.
func isBelow(path, dir string) bool {
	path, dir = resolved(path), resolved(dir)
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
