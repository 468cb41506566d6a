package git

import (
	"context"
	"fmt"
	"strings"

	"marvin/tools"
)

type checkoutArgs struct {
	Target       string `json:"target" doc:"Branch, tag or commit" example:"main" alias:"ref,branch"`
	CreateBranch bool   `json:"create_branch" doc:"Create \"target\" as a new branch at the current commit" default:"false" alias:"create"`
}

func (s *Service) checkoutTool() tools.Tool {
	return tools.New(tools.Def[checkoutArgs]{
		Name: "git_checkout", Brings: tools.Private,
		Effect: tools.Writes,
		Doc: "Switch to a branch, tag or commit, or create a branch. git refuses to overwrite changes. " +
			"Does not check out single files, as that would discard their uncommitted changes. If the user wants to discard them, use run_command.",
		Examples: []string{"switch to branch {main|target}", "check out {v1.2|target}", "make a new {true|create_branch} branch {fix-parser|target}"},
		Needs:    tools.Needs{Coding: true}, Access: tools.Exclusive, Pool: tools.Proc, Timeout: writeTime,
		Run: s.checkout,
	})
}

func (s *Service) checkout(ctx context.Context, env tools.Env, in checkoutArgs) (tools.Output, error) {
	target := strings.TrimSpace(in.Target)
	if target == "" {
		return tools.Output{}, tools.Advise(fmt.Errorf("the target is empty"), "git_branch lists the branches.")
	}
	if strings.HasPrefix(target, "-") {
		return tools.Output{}, tools.Advise(fmt.Errorf("the target %q looks like an option", target), "A branch cannot have this name; git_branch lists the branches.")
	}
	repository, err := open(ctx, env)
	if err != nil {
		return tools.Output{}, err
	}
	release, err := s.reserve(ctx, env, repository)
	if err != nil {
		return tools.Output{}, err
	}
	defer release()
	if _, err := s.settle(ctx, env, repository, "post-checkout"); err != nil {
		return tools.Output{}, err
	}
	undo := goesBack(env.Dir, in.CreateBranch)
	args := []string{"checkout", "--no-progress"}
	if in.CreateBranch {
		args = append(args, "-b")
	}
	// Without "--", git could treat the target as a file name and discard changes to that file.
	out, err := repository.Write(ctx, "", append(args, target, "--")...)
	if err != nil {
		return tools.Output{}, notCheckedOut(env, target, err)
	}
	return tools.Output{Text: out + describeLeftOut(repository), Undo: undo}, nil
}

// goesBack returns the inverse of a checkout that is about to run.
func goesBack(dir string, created bool) *tools.Inverse {
	before := Branch(dir)
	switch {
	case created:
		return tools.CannotUndo("the new branch stays; remove it with git branch -d")
	case before == "":
		return tools.CannotUndo("no branch was checked out before this call")
	}
	return tools.UndoneBy("git_checkout", checkoutArgs{Target: before})
}

func notCheckedOut(env tools.Env, target string, err error) error {
	if !strings.Contains(err.Error(), "invalid reference") {
		return err
	}
	if dir, openErr := env.Open(); openErr == nil {
		defer func() { _ = dir.Close() }()
		if _, info, locateErr := dir.Locate(target); locateErr == nil && info != nil {
			return tools.Advise(fmt.Errorf("%q is a file, not a branch", target),
				"To discard the file's edits, ask the user, then run git checkout -- FILE")
		}
	}
	return tools.Advise(fmt.Errorf("there is no branch, tag or commit %q", target),
		"List the branches with git_branch, or make a new one with \"create_branch\": true.")
}
