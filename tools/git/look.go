package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/gitcmd"
)

type noArgs struct{}

func onRepository[Args any](look func(context.Context, tools.Env, *gitcmd.Repository, Args) (tools.Output, error)) func(context.Context, tools.Env, Args) (tools.Output, error) {
	return func(ctx context.Context, env tools.Env, in Args) (tools.Output, error) {
		repository, err := open(ctx, env)
		if err != nil {
			return tools.Output{}, err
		}
		return look(ctx, env, repository, in)
	}
}

func statusTool() tools.Tool {
	return tools.WithOutline("Show the branch and staged, changed and untracked files in git's short form.", tools.New(tools.Def[noArgs]{
		Name: "git_status",
		Doc: "Show the branch and the staged, changed and untracked files, in git's short form (XY path). " +
			"Does not show changes inside submodules.",
		Examples: []string{"what is the git status", "which files have changed", "what branch am I on"},
		Core:     true, Needs: tools.Needs{Coding: true}, Access: tools.Shared, Pool: tools.Proc, Timeout: lookTime,
		Run: onRepository(status),
	}))
}

func status(ctx context.Context, env tools.Env, repository *gitcmd.Repository, _ noArgs) (tools.Output, error) {
	out, err := repository.Read(ctx, "status", "--short", "--branch", "--untracked-files=normal", "--ignore-submodules=dirty")
	if err != nil {
		return tools.Output{}, err
	}
	text := largerTop(repository) + out
	for _, ongoing := range describeUnfinished(repository) {
		text += ongoing + "\n"
	}
	if age := repository.LockAge(env.Now()); age > 5*time.Second {
		text += fmt.Sprintf("The lock %s is %s old: another git process is running, or one crashed.\n", repository.Lock(), age.Round(time.Second))
	}
	if strings.Count(out, "\n") <= 1 {
		text += "Nothing to commit, the working tree is clean.\n"
	}
	return tools.Output{Text: text + filtersNote(repository, out)}, nil
}

// describeUnfinished describes the operations in progress, such as a merge. Git's short status does
// not show them.
func describeUnfinished(repository *gitcmd.Repository) (states []string) {
	for _, state := range []struct{ file, says string }{
		{"MERGE_HEAD", "A merge is in progress."},
		{"rebase-merge", "A rebase is in progress."},
		{"rebase-apply", "A rebase or a \"git am\" is in progress."},
		{"CHERRY_PICK_HEAD", "A cherry-pick is in progress."},
		{"REVERT_HEAD", "A revert is in progress."},
		{"BISECT_LOG", "A bisect is in progress."},
	} {
		if _, err := os.Lstat(filepath.Join(repository.GitDir, state.file)); err == nil {
			states = append(states, state.says)
		}
	}
	return states
}

func filtersNote(repository *gitcmd.Repository, shown string) string {
	changed := strings.Contains(shown, "\n M ") || strings.Contains(shown, "\n-")
	if len(repository.Filters) == 0 || !changed {
		return ""
	}
	return fmt.Sprintf("(Files with a content filter (%s) may look changed, because Marvin does not run such filters.)\n",
		tools.Visible(strings.Join(repository.Filters, ", ")))
}

type diffArgs struct {
	Staged bool   `json:"staged" doc:"Show staged instead of unstaged changes" sent:"Staged instead of unstaged changes" default:"false" alias:"cached"`
	Path   string `json:"path" doc:"Only this file or directory, relative to the working directory" sent:"" default:"" example:"main.go"`
}

func diffTool() tools.Tool {
	return tools.WithOutline("Show uncommitted changes as a unified diff, without untracked files.", tools.New(tools.Def[diffArgs]{
		Name: "git_diff",
		Doc:  "Show uncommitted changes as a unified diff, without untracked files (see git_status).",
		Examples: []string{
			"what changed since the last commit", "show the git diff", "what is staged {true|staged}",
			"show the {staged|staged} changes", "what changed in {main.go|path}",
		},
		Core: true, Needs: tools.Needs{Coding: true}, Access: tools.Shared, Pool: tools.Proc, Timeout: lookTime,
		Run: onRepository(diff),
	}))
}

func diff(ctx context.Context, env tools.Env, repository *gitcmd.Repository, in diffArgs) (tools.Output, error) {
	args := []string{"diff", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=dirty", "--submodule=short"}
	if in.Staged {
		args = append(args, "--cached")
	}
	args = append(args, "--")
	if in.Path != "" {
		paths, err := operands(env, in.Path)
		if err != nil {
			return tools.Output{}, err
		}
		args = append(args, gitcmd.Literal(paths...)...)
	}
	out, err := repository.Read(ctx, args...)
	if err != nil {
		return tools.Output{}, err
	}
	if out != "" {
		return tools.Output{Text: out + filtersNote(repository, out), View: &messages.View{Kind: messages.Diff, Text: out}}, nil
	}
	if !in.Staged {
		_, err := repository.Read(ctx, "diff", "--cached", "--quiet", "--no-ext-diff", "--no-textconv")
		if exitedWith(err, 1) {
			return tools.Output{Text: "There are no unstaged changes. To see the staged changes, set \"staged\": true."}, nil
		}
	}
	return tools.Output{Text: "No changes."}, nil
}

type logArgs struct {
	MaxCount int  `json:"max_count" doc:"Maximum number of commits, newest first" default:"10" min:"1" max:"200" alias:"n,count,limit"`
	Oneline  bool `json:"oneline" doc:"One line for each commit; if false, also author, date and message" default:"true"`
}

func logTool() tools.Tool {
	return tools.New(tools.Def[logArgs]{
		Name:     "git_log",
		Doc:      "Show the latest commits of the current branch.",
		Examples: []string{"show the last {5|max_count} commits", "git log", "what was committed recently"},
		Needs:    tools.Needs{Coding: true}, Access: tools.Shared, Pool: tools.Proc, Timeout: lookTime,
		Run: onRepository(log),
	})
}

func log(ctx context.Context, env tools.Env, repository *gitcmd.Repository, in logArgs) (tools.Output, error) {
	args := []string{"log", fmt.Sprintf("--max-count=%d", in.MaxCount), "--no-color", "--no-show-signature", "--no-ext-diff", "--no-textconv"}
	if in.Oneline {
		args = append(args, "--oneline", "--decorate=short")
	} else {
		args = append(args, "--format=medium", "--date=iso")
	}
	out, err := repository.Read(ctx, append(args, "--")...)
	switch {
	case errors.Is(err, gitcmd.ErrNoCommits):
		return tools.Output{Text: "There are no commits yet."}, nil
	case err != nil:
		return tools.Output{}, err
	}
	return tools.Output{Text: out}, nil
}

type blameArgs struct {
	Path      string `json:"path" doc:"File, relative to the working directory" example:"main.go" alias:"file,file_path"`
	StartLine int    `json:"start_line,omitempty" doc:"First line, counted from 1" alias:"start"`
	EndLine   int    `json:"end_line,omitempty" doc:"Last line" alias:"end"`
}

func blameTool() tools.Tool {
	return tools.New(tools.Def[blameArgs]{
		Name:     "git_blame",
		Doc:      "Show the last commit and author of each line of a file. For long files, give start_line and end_line.",
		Examples: []string{"git blame {main.go|path}", "who wrote {main.go|path}", "who wrote lines {10|start_line} to {20|end_line} of {main.go|path}"},
		Needs:    tools.Needs{Coding: true}, Access: tools.Shared, Pool: tools.Proc, Timeout: lookTime,
		Run: onRepository(blame),
	})
}

func blame(ctx context.Context, env tools.Env, repository *gitcmd.Repository, in blameArgs) (tools.Output, error) {
	paths, err := operands(env, in.Path)
	if err != nil {
		return tools.Output{}, err
	}
	args := []string{"blame", "--no-textconv", "--date=short"}
	if in.StartLine > 0 || in.EndLine > 0 {
		first, last := max(in.StartLine, 1), ""
		if in.EndLine > 0 {
			if in.EndLine < first {
				return tools.Output{}, fmt.Errorf("end_line %d is before start_line %d", in.EndLine, first)
			}
			last = fmt.Sprint(in.EndLine)
		}
		args = append(args, "-L", fmt.Sprintf("%d,%s", first, last))
	}
	out, err := repository.Read(ctx, append(args, "--", paths[0])...)
	if err != nil {
		return tools.Output{}, err
	}
	return tools.Output{Text: out}, nil
}

type branchArgs struct {
	All bool `json:"all" doc:"Include remote branches" default:"false"`
}

func branchTool() tools.Tool {
	return tools.New(tools.Def[branchArgs]{
		Name:     "git_branch",
		Doc:      "List the branches; * marks the current one.",
		Examples: []string{"list branches", "which branches are there", "list {all|all} branches", "show {true|all} branches, including remote ones"},
		Needs:    tools.Needs{Coding: true}, Access: tools.Shared, Pool: tools.Proc, Timeout: lookTime,
		Run: onRepository(branch),
	})
}

func branch(ctx context.Context, env tools.Env, repository *gitcmd.Repository, in branchArgs) (tools.Output, error) {
	args := []string{"branch", "--list", "--no-color", "--no-column"}
	if in.All {
		args = append(args, "--all")
	}
	out, err := repository.Read(ctx, args...)
	if err != nil {
		return tools.Output{}, err
	}
	if out == "" {
		return tools.Output{Text: "There are no branches yet; the first commit makes one."}, nil
	}
	return tools.Output{Text: out}, nil
}
