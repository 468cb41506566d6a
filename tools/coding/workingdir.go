package coding

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"marvin/tools"
)

type dirArgs struct {
	Path string `json:"path" doc:"Absolute path of an existing directory; ~ is the home directory" sent:"Absolute; ~ is the home directory" example:"~/src/marvin" alias:"dir,directory"`
}

func setDirTool() tools.Tool {
	return tools.WithOutline("Change the working directory for file, search, git and shell tools.", tools.New(tools.Def[dirArgs]{
		Name:   "set_working_dir",
		Effect: tools.Writes,
		Doc: "Change the working directory for file, search, git and shell tools; " +
			"file tools work only there.",
		Examples: []string{"work in {~/src/marvin|path}", "set the working directory to {/srv/site|path}", "change to the project {~/project|path}"},
		Core:     true, Needs: tools.Needs{Coding: true, TopOnly: true}, Access: tools.Exclusive,
		Confirm: confirmDir, Steers: true,
		Dirs:   func(in dirArgs) []string { return []string{in.Path} },
		Places: func(tools.Env, dirArgs) []tools.Place { return []tools.Place{{All: true, Write: true}} },
		Run:    setDir,
	}))
}

// confirmDir returns the question that asks the user to allow file tools in a new directory. It
// returns "" if the directory is unusable or already allowed.
func confirmDir(env tools.Env, in dirArgs) (title, detail string) {
	dir, err := absolute(env, in.Path)
	if err != nil || dir == env.Dir {
		return "", ""
	}
	if _, err := env.Enter(dir); !errors.Is(err, tools.ErrForbidden) {
		return "", ""
	}
	return "Make this the working directory?", tools.ShowDirs(dir)
}

func setDir(_ context.Context, env tools.Env, in dirArgs) (tools.Output, error) {
	path, err := absolute(env, in.Path)
	if err != nil {
		return tools.Output{}, err
	}
	dir, err := env.Enter(path)
	switch {
	case errors.Is(err, tools.ErrForbidden):
		return tools.Output{}, err
	case err != nil:
		return tools.Output{}, tools.Advise(err, "The nearest existing directory is %s", nearestDir(path))
	}
	if err := env.SetDir(dir); err != nil {
		return tools.Output{}, fmt.Errorf("set the working directory: %w", err)
	}
	return tools.Output{Text: "Working directory: " + dir}, nil
}

// absolute returns the directory at path, which must be absolute or begin with ~.
func absolute(env tools.Env, path string) (string, error) {
	given := strings.TrimSpace(path)
	if given != "~" && !strings.HasPrefix(given, "~/") && !filepath.IsAbs(given) {
		next := "Give an absolute path."
		if env.Dir != "" && filepath.IsLocal(given) {
			next = "Do you mean " + filepath.Join(env.Dir, given) + "?"
		}
		return "", tools.Advise(fmt.Errorf("the path %q is not absolute", given), "%s", next)
	}
	return env.Directory(given)
}

func nearestDir(path string) string {
	for {
		if info, err := os.Stat(path); err == nil && info.IsDir() || path == filepath.Dir(path) {
			return path
		}
		path = filepath.Dir(path)
	}
}

type noArgs struct{}

func getDirTool() tools.Tool {
	return tools.New(tools.Def[noArgs]{
		Name:     "get_working_dir",
		Doc:      "Show the working directory for file, search, git and shell tools.",
		Examples: []string{"what is the working directory", "which directory am I in", "where are we working", "pwd"},
		Needs:    tools.Needs{Coding: true}, Access: tools.Shared,
		Run: func(_ context.Context, env tools.Env, _ noArgs) (tools.Output, error) {
			if env.Dir == "" {
				return tools.Output{Text: "No working directory is set; set_working_dir sets one."}, nil
			}
			return tools.Output{Text: env.Dir}, nil
		},
	})
}
