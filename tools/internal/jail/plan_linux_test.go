package jail

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools/internal/jail/internal/disk"
)

// scene describes a home directory with a project, for which a plan is made.
type scene struct {
	files   string // below the home directory: NAME=CONTENT, NAME/ for a directory, NAME->TARGET for a link
	root    string // below the home directory
	mode    Mode
	state   string // Marvin's own directory, if it is not the usual one
	environ string
}

const repository = "HEAD=x objects/ refs/ hooks/ config=[core]"

// of moves files into a directory: "a/", "HEAD=x" becomes "a/HEAD=x".
func of(dir, files string) string {
	return dir + strings.Join(strings.Fields(files), " "+dir)
}

// keeperOf creates the files of a scene, and a keeper.
func (s scene) keeperOf(t *testing.T) (k *Keeper, home string) {
	t.Helper()
	home, err := os.MkdirTemp("/var/tmp", "marvin-plan-") // files below /tmp would belong to the command
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	for _, each := range strings.Fields("project/ private/tmp/ " + s.files) {
		name, content, file := strings.Cut(each, "=")
		link, target, linked := strings.Cut(each, "->")
		if linked {
			name = link
		}
		path := filepath.Join(home, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		switch {
		case linked:
			err = os.Symlink(strings.ReplaceAll(target, "HOME", home), path)
		case file:
			err = os.WriteFile(path, []byte(strings.NewReplacer("HOME", home, "%", " ", "|", "\n").Replace(content)), 0o644)
		case err == nil:
			err = os.MkdirAll(path, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	config := Config{Mode: s.mode, Home: home, State: filepath.Join(home, ".config/marvin"), Environ: strings.Fields(strings.ReplaceAll(s.environ, "HOME", home))}
	if s.state != "" {
		config.State = filepath.Join(home, s.state)
	}
	k = NewKeeper(config)
	k.temp = &tempDir{whole: filepath.Join(home, "private"), path: filepath.Join(home, "private/tmp")}
	return k, home
}

// told describes a plan in words, one item per line.
func (j *Jail) told(home string) string {
	var out strings.Builder
	line := func(what string, paths ...string) {
		if len(paths) > 0 {
			fmt.Fprintf(&out, "  %-9s%s\n", what, strings.Join(paths, " "))
		}
	}
	p := j.plan
	line("writes", p.Write...)
	line("pins", p.Pin...)
	line("closes", p.Closed...)
	line("links", p.Links...)
	line("protects", p.Protect...)
	for _, one := range j.absent {
		line("absent", fmt.Sprintf("%s %q", one.Path, one.Content))
	}
	line("git", j.gits...)
	line("reads", p.Read...)
	for _, variable := range j.environ(0)[3:] {
		line("says", variable)
	}
	for _, path := range j.hidden() {
		if disk.Contains(path, home) { // the files of the system vary
			line("hides", path)
		}
	}
	fmt.Fprintf(&out, "  offline %v, gate %v, repository %v, worktrees %q, own inside %v\n", p.Offline, p.Gate, j.repository, j.worktrees, j.ownInside)
	return strings.ReplaceAll(out.String(), home, "~")
}

// caches are the caches of common programs in a home directory.
const caches = ".cache/go-build/ go/pkg/mod/ .npm/ .cache/uv/ "

// scenes are kinds of places in which commands run.
var scenes = []struct {
	name string
	scene
}{
	{"a project, and no caches", scene{}},
	{"caches", scene{files: caches + ".cargo/registry/ elsewhere/git/", environ: "CARGO_HOME=HOME/elsewhere"}},
	{"a cache in the project, a link to one from it, one of the whole home", scene{files: caches + "project/c/ project/l->HOME/.npm", environ: "GOCACHE=HOME/project/c npm_config_cache=HOME/project/l UV_CACHE_DIR=HOME"}},
	{"strict", scene{files: caches, mode: Strict}},
	{"a repository", scene{files: caches + of("project/.git/", repository)}},
	{"one that includes", scene{files: caches + of("project/.git/", repository+"|[include]|path=../mine|path=HOME/outside|path=HOME/project/none") + " project/mine=[core] outside=[core]"}},
	{"one with submodules, worktrees and a common directory", scene{files: caches + of("project/.git/", repository+" modules/ worktrees/ commondir=elsewhere config.worktree=x")}},
	{"one whose configuration is by worktree", scene{files: caches + of("project/.git/", "HEAD=x objects/ refs/ config=[extensions]|worktreeConfig=true config.worktree=[include]|path=more more=x commondir=.|")}},
	{"one with links", scene{files: caches + of("project/.git/", "HEAD=x objects/ refs/ config->../tracked hooks->HOME/hooks") + " project/tracked=[core] hooks/"}},
	{"below the top of one", scene{files: caches + of(".git/", repository) + " project/sub/deep/", root: "project/sub"}},
	{"a bare one", scene{files: caches + of("project/", repository)}},
	{"what is none", scene{files: caches + of("project/.git/", "HEAD=x objects/")}},
	{"a .git that is a link", scene{files: caches + "project/.git->HOME/other"}},
	{"a worktree", scene{files: caches + of("main/.git/", repository+" worktrees/a/gitdir=HOME/project/.git worktrees/b/x=y worktrees/a/commondir=../..") + " project/.git=gitdir:%HOME/main/.git/worktrees/a"}},
	{"a worktree of another", scene{files: caches + of("main/.git/", repository+" worktrees/a/gitdir=HOME/other/.git") + " other/.git=x project/.git=gitdir:%HOME/main/.git/worktrees/a"}},
	{"a worktree that is in no list", scene{files: caches + of("main/.git/", repository+" lost/a/gitdir=HOME/project/.git") + " project/.git=gitdir:%HOME/main/.git/lost/a"}},
	{"a worktree of what is none", scene{files: caches + of("main/.git/", "HEAD=x worktrees/a/gitdir=HOME/project/.git") + " project/.git=gitdir:%HOME/main/.git/worktrees/a"}},
	{"a submodule", scene{files: caches + of("main/.git/modules/a/", "HEAD=x objects/ refs/ hooks/ config=[core]|worktree%=%../../../../project") + " project/.git=gitdir:%../main/.git/modules/a"}},
	{"a submodule of another", scene{files: caches + of("main/.git/modules/a/", "HEAD=x objects/ refs/ config=[core]|worktree=../../../../other") + " other/ project/.git=gitdir:%../main/.git/modules/a"}},
	{"a file that is no pointer", scene{files: caches + "project/.git=something"}},
	{"the home directory", scene{files: caches + ".bashrc=x bin/ notes.txt=x docs/ link->docs " + of(".git/", repository), root: "."}},
	{"Marvin's own in the project", scene{files: caches + "project/own/tokens=x", state: "project/own"}},
	{"Marvin's own", scene{files: caches + ".config/marvin/tokens=x", root: ".config/marvin"}},
	{"above the home directory", scene{root: ".."}},
	{"nothing", scene{root: "none"}},
	{"logins", scene{files: caches + ".aws/x=y .config/gh/hosts=x .netrc=x .npmrc=//_auth=x .docker/config.json={} .pip/pip.conf=https://u:p@host .local/share/marvin/x=y .mozilla/x=y"}},
	{"keys of ssh", scene{files: caches + of(".ssh/", "config=Host known_hosts=x id_rsa.pub=x id_rsa=x work=-----BEGIN%PRIVATE%KEY----- token_=x word=0123456789abcdef short=0123456789abcde "+
		"prose=these%are%many%words%in%a%file OPENAI_API_KEY=x d/id_a=x d/e/id_b=x d/e/f/plain=x authorized_keys2=0123456789abcdefgh")}},
}

func TestThePlanOfEachPlace(t *testing.T) {
	var all strings.Builder
	for _, one := range scenes {
		k, home := one.keeperOf(t)
		root := filepath.Join(home, "project")
		if one.root != "" {
			root = filepath.Join(home, one.root)
		}
		j, err := newJail(k, root)
		fmt.Fprintf(&all, "%s\n", one.name)
		if err != nil {
			fmt.Fprintf(&all, "  refused: %s\n", strings.ReplaceAll(strings.ReplaceAll(err.Error(), home, "~"), filepath.Dir(home), "~/.."))
			continue
		}
		all.WriteString(j.told(home))
	}
	goldentest.Assert(t, "plans.txt", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
