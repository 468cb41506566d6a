package github

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/near"
	"marvin/tools/internal/show"
)

// clonesName is the directory for cloned repositories, relative to the home directory.
const clonesName = "github-clones"

// Service provides the GitHub tools.
type Service struct {
	client  *http.Client
	program string
}

// New returns a service. The service searches with client if gh is not installed or not logged in.
// program is Marvin's executable, which waits for checks in the background.
func New(client *http.Client, program string) Service {
	return Service{client: client, program: program}
}

// Tools returns the tools of this category.
func (s Service) Tools() []tools.Tool {
	return []tools.Tool{
		s.searchTool(), s.cloneTool(), readTool(), grepTool(),
		listTool(), viewTool(), commentTool(), createTool(), checksTool(), s.watchTool(),
	}
}

// repository is a repository's name on GitHub.
type repository struct{ owner, name string }

func (r repository) String() string { return r.owner + "/" + r.name }

// parse parses "owner/name" or the address of a GitHub repository. The owner and the name become
// directory names, so they may contain only letters, digits, ".", "_" and "-".
func parse(text, owner string) (repository, error) {
	rest, address := strings.TrimSpace(text), false
	for _, prefix := range []string{"https://", "http://", "ssh://", "git://", "git@", "www."} {
		if after, ok := strings.CutPrefix(rest, prefix); ok {
			rest, address = after, address || prefix != "www."
		}
	}
	rest = strings.Replace(rest, "github.com:", "github.com/", 1)
	rest, onGitHub := strings.CutPrefix(rest, "github.com/")
	rest, _, _ = strings.Cut(strings.TrimRight(rest, "/"), "?")
	rest, _, _ = strings.Cut(rest, "#")
	parts := strings.Split(rest, "/")
	if len(parts) == 1 && owner != "" {
		parts = []string{strings.TrimSpace(owner), parts[0]}
	}
	found, ok := repositoryOf(parts)
	if !ok || len(parts) > 2 && !onGitHub || address && !onGitHub {
		return repository{}, tools.Advise(fmt.Errorf("%q is not a repository on GitHub", show.Line(text, 100)), "Write owner/name, for example golang/go; github_search finds names.")
	}
	return found, nil
}

// repositoryOf returns the repository whose owner and name are the first two parts.
func repositoryOf(parts []string) (repository, bool) {
	if len(parts) < 2 {
		return repository{}, false
	}
	found := repository{parts[0], strings.TrimSuffix(parts[1], ".git")}
	return found, isName(found.owner) && isName(found.name) && found.owner[0] != '-'
}

func isName(part string) bool {
	return part != "" && part != "." && part != ".." && len(part) <= 100 && !strings.ContainsFunc(part, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '.' && r != '_' && r != '-'
	})
}

// boxPath converts a path in a clone to the form that package box requires. The root of the clone
// can be given as "/" or "".
func boxPath(path string) string { return cmp.Or(strings.Trim(path, "/ "), ".") }

// openClone opens a clone. Neither names nor links can lead out of the returned directory.
func openClone(env tools.Env, repo string) (*box.Dir, repository, error) {
	found, err := parse(repo, "")
	if err != nil {
		return nil, found, err
	}
	if env.Home == "" {
		return nil, found, errNoHome
	}
	notCloned := func(next string) error {
		return tools.Advise(fmt.Errorf("%s is not cloned", found), "%s", next)
	}
	clones, err := box.OpenAs("Directory of clones", filepath.Join(env.Home, clonesName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, found, notCloned("Clone it with github_clone.")
	}
	if err != nil {
		return nil, found, err
	}
	defer func() { _ = clones.Close() }()
	dir, err := clones.Sub("Clone of "+found.String(), found.String(), false)
	if errors.Is(err, fs.ErrNotExist) {
		next := "Clone it with github_clone."
		if close := near.Similar(found.String(), cloned(clones), 3); len(close) > 0 {
			next += " Cloned are: " + strings.Join(close, ", ")
		}
		return nil, found, notCloned(next)
	}
	return dir, found, err
}

var errNoHome = tools.Advise(errors.New("there is no home directory, so there are no clones"), "Start Marvin with HOME set.")

// cloned returns the existing clones as "owner/name".
func cloned(clones *box.Dir) []string {
	var names []string
	owners, _ := clones.List(".")
	for _, owner := range owners {
		if !owner.IsDir() || !isName(owner.Name()) {
			continue
		}
		repositories, _ := clones.List(owner.Name())
		for _, each := range repositories {
			names = append(names, owner.Name()+"/"+each.Name())
		}
	}
	return names
}

// token returns the user's GitHub token from the environment, or "" if there is none.
func token(env tools.Env) string {
	for _, name := range []string{"GH_TOKEN", "GITHUB_TOKEN"} {
		if value := env.Key(name); value != "" {
			return value
		}
	}
	return ""
}

// ghEnv returns additional environment variables for gh. The token is withheld from all other
// programs, but gh needs it.
func ghEnv(env tools.Env) []string {
	set := []string{"GH_PROMPT_DISABLED=1", "GH_NO_UPDATE_NOTIFIER=1", "NO_COLOR=1"}
	if key := token(env); key != "" {
		set = append(set, "GH_TOKEN="+key)
	}
	return set
}
