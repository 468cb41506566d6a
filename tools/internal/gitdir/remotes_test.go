package gitdir

import (
	"path/filepath"
	"slices"
	"testing"
)

func TestRemotesAreWhatGitSays(t *testing.T) {
	dir := t.TempDir()
	if all := Remotes(dir); len(all) > 0 {
		t.Errorf("without a repository there are %v", all)
	}
	shell(t, dir, `git init -q . && git remote add other https://example.org/x/y && git remote add origin git@github.com:me/tool.git && git remote add upstream "https://github.com/them/tool"
git config --add remote.origin.url git@github.com:me/second.git && mkdir below`)
	want := []Remote{{"upstream", "https://github.com/them/tool"}, {"origin", "git@github.com:me/tool.git"}, {"other", "https://example.org/x/y"}}
	for _, where := range []string{dir, filepath.Join(dir, "below")} {
		if all := Remotes(where); !slices.Equal(all, want) {
			t.Errorf("%s: %v", where, all)
		}
	}
}
