package github

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools"
)

func TestRepositoryLookup(t *testing.T) {
	project := func(remotes ...string) string {
		dir := t.TempDir()
		config := "[core]\n\trepositoryformatversion = 0\n"
		for _, remote := range remotes {
			name, address, _ := strings.Cut(remote, " ")
			config += "[remote \"" + name + "\"]\n\turl = " + address + "\n"
		}
		git := filepath.Join(dir, ".git")
		made := errors.Join(os.MkdirAll(filepath.Join(git, "objects"), 0o755), os.MkdirAll(filepath.Join(git, "refs", "heads"), 0o755))
		written := errors.Join(os.WriteFile(filepath.Join(git, "config"), []byte(config), 0o644), os.WriteFile(filepath.Join(git, "HEAD"), []byte("ref: refs/heads/mine\n"), 0o644))
		if err := errors.Join(made, written); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	forked := project("upstream https://github.com/them/tool.git", "origin git@github.com:me/tool.git")
	own := project("origin https://ghe.example/a/b")
	for name, test := range map[string]struct {
		dir, repo, host string
		base, head      string
		branch          string
		refused         string
	}{
		"the remotes":            {forked, "", "", "them/tool", "me/tool", "mine", ""},
		"the base by name":       {forked, "them/tool", "", "them/tool", "me/tool", "mine", ""},
		"the fork by name":       {forked, " me/tool ", "", "me/tool", "me/tool", "mine", ""},
		"another":                {forked, "other/thing", "", "other/thing", "other/thing", "", ""},
		"another by address":     {forked, "https://github.com/other/thing.git", "", "other/thing", "other/thing", "", ""},
		"no directory":           {"", "", "", "", "", "", "the working directory has no git remote on github.com"},
		"no directory, named":    {"", "a/b", "", "a/b", "a/b", "", ""},
		"no repository":          {t.TempDir(), "", "", "", "", "", "no git remote"},
		"a host of its own":      {own, "", "ghe.example", "ghe.example/a/b", "ghe.example/a/b", "mine", ""},
		"the host is not told":   {own, "", "", "", "", "", "the working directory has no git remote on github.com"},
		"another host":           {own, "https://evil.example/a/b", "ghe.example", "", "", "", "evil.example is not a GitHub server that Marvin contacts"},
		"github.com beside it":   {own, "https://github.com/a/b", "ghe.example", "a/b", "a/b", "", ""},
		"what is no repository":  {forked, "one", "", "", "", "", ""},
		"what is none at github": {forked, "https://github.com/one", "", "", "", "", ""},
	} {
		env := tools.Env{Dir: test.dir, Environ: []string{"GH_HOST=" + test.host}}
		at, err := locate(env, test.repo)
		if test.base == "" {
			if err == nil || !strings.Contains(err.Error(), test.refused) || at != (spot{}) {
				t.Errorf("%s: %+v, %v", name, at, err)
			}
			continue
		}
		if err != nil || at.base.String() != test.base || at.head.String() != test.head || at.branch != test.branch {
			t.Errorf("%s: %s, %s, %q, %v", name, at.base.String(), at.head.String(), at.branch, err)
		}
	}
}
