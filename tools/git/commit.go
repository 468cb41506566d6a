package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marvin/persistence/projectdir"
	"marvin/tools"
	"marvin/tools/internal/gitcmd"
)

type commitArgs struct {
	Message string   `json:"message" doc:"Commit message; the first line is the subject" example:"parser: accept empty input" alias:"msg"`
	AddAll  *bool    `json:"add_all,omitempty" doc:"If true, commits every change, including new and deleted files; if false, only staged changes"`
	Files   []string `json:"files,omitempty" doc:"Commit only these files or directories, even if others are changed or staged" alias:"paths"`
}

func (s *Service) commitTool() tools.Tool {
	return tools.New(tools.Def[commitArgs]{
		Name: "git_commit", Brings: tools.Private,
		Effect: tools.Writes,
		Doc: "Commit the changes that this conversation made with file tools, or changes that you choose with \"files\" or \"add_all\". Lists the remaining changes. " +
			"Runs the repository's hooks, which can refuse the commit.",
		Examples: []string{"commit everything as {fix the parser|message} {=true|add_all}", "commit everything with the message {fix the parser|message} {=true|add_all}", "git commit with message {first draft|message}"},
		Needs:    tools.Needs{Coding: true}, Access: tools.Exclusive, Pool: tools.Proc, Timeout: writeTime,
		Run: s.commit,
	})
}

func (s *Service) commit(ctx context.Context, env tools.Env, in commitArgs) (tools.Output, error) {
	if strings.TrimSpace(in.Message) == "" {
		return tools.Output{}, errors.New("the commit message is empty; say what changed and why")
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
	files, all, err := choose(ctx, env, repository, in)
	if err != nil {
		return tools.Output{}, err
	}
	hooks, err := s.settle(ctx, env, repository, commitHooks...)
	if err != nil {
		return tools.Output{}, err
	}
	if err := refuseUnfiltered(repository); err != nil {
		return tools.Output{}, err
	}
	if err := stage(ctx, repository, all, files); err != nil {
		return tools.Output{}, err
	}
	if merging(repository) {
		files = nil // git can commit a merge only as a whole
	}
	if text, err := nothingToCommit(ctx, repository, files); text != "" || err != nil {
		return tools.Output{Text: text}, err
	}
	// Without --cleanup, the user's configuration could remove message lines that start with "#".
	args := []string{"commit", "--file=-", "--cleanup=whitespace"}
	if files != nil {
		args = append(append(args, "--only", "--"), files...)
	}
	out, err := repository.Write(ctx, in.Message, args...)
	if err != nil {
		return tools.Output{}, notCommitted(err, hooks)
	}
	if len(hooks) > 0 {
		out += "Hooks that ran: " + strings.Join(hooks, ", ") + "\n"
	}
	return tools.Output{Text: largerTop(repository) + out + describeUncommitted(ctx, repository) + describeLeftOut(repository)}, nil
}

func stage(ctx context.Context, repository *gitcmd.Repository, all bool, files []string) (err error) {
	switch {
	case files != nil:
		_, err = repository.Write(ctx, "", append([]string{"add", "--all", "--"}, files...)...)
	case all:
		var there changes
		if there, err = changed(ctx, repository); err == nil {
			_, err = repository.Write(ctx, "", append([]string{"add", "--all"}, there.withoutProducts()...)...)
		}
	}
	return err
}

// withoutProducts returns "git add" arguments that exclude Marvin's own files (untracked but not
// ignored), such as notes from older versions. Without such files, it returns nil.
func (c changes) withoutProducts() []string {
	args := []string{"--", ":/"}
	for _, one := range c {
		if one.code == "??" && projectdir.Product(one.path) {
			args = append(args, ":(top,exclude,literal)"+one.path)
		}
	}
	if len(args) == 2 {
		return nil
	}
	return args
}

// nothingToCommit returns a message if there is nothing to commit, otherwise "".
func nothingToCommit(ctx context.Context, repository *gitcmd.Repository, files []string) (string, error) {
	_, err := repository.Read(ctx, append([]string{"diff", "--cached", "--quiet", "--no-ext-diff", "--no-textconv", "--"}, files...)...)
	if exitedWith(err, 1) {
		return "", nil // there is a difference
	}
	if err != nil {
		return "", err
	}
	if merging(repository) {
		return "", nil // a merge commit needs no changes of its own
	}
	if files != nil {
		return "Nothing to commit: these files have not changed since the last commit.", nil
	}
	out, err := repository.Read(ctx, "status", "--short", "--untracked-files=normal", "--ignore-submodules=dirty")
	if err == nil && out != "" {
		return "Nothing to commit: nothing is staged. Not staged:\n" + out, nil
	}
	return "Nothing to commit, the working tree is clean.", err
}

func merging(repository *gitcmd.Repository) bool {
	_, err := os.Lstat(filepath.Join(repository.GitDir, "MERGE_HEAD"))
	return err == nil
}

// notCommitted returns the error for a failed commit. If the repository has hooks, the error says
// what to do next.
func notCommitted(err error, hooks []string) error {
	var failure *gitcmd.Failure
	if !errors.As(err, &failure) || len(hooks) == 0 {
		return fmt.Errorf("not committed, but the changes are staged: %w", err)
	}
	return tools.Advise(fmt.Errorf("not committed, but the changes are staged: %w", err),
		"The repository has hooks (%s). If one of them refused, fix what it complains about and commit again.", strings.Join(hooks, ", "))
}

var commitHooks = []string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"}

// choose decides what to stage: the named files, everything, the current index, or the changes made
// in this conversation.
func choose(ctx context.Context, env tools.Env, repository *gitcmd.Repository, in commitArgs) (files []string, all bool, err error) {
	there, err := changed(ctx, repository)
	if err != nil {
		return nil, false, err
	}
	if err := there.unresolved(ctx, repository); err != nil {
		return nil, false, err
	}
	if len(in.Files) > 0 {
		if files, err = operands(env, in.Files...); err != nil {
			return nil, false, err
		}
		return gitcmd.Literal(files...), false, nil
	}
	if in.AddAll != nil {
		return nil, *in.AddAll, nil
	}
	own := there.madeHere(env, repository)
	if merging(repository) { // the resolved merge
		own = append(own, slices.DeleteFunc(slices.Clone(there), func(e entry) bool { return !e.unmerged() })...)
	}
	switch {
	case len(own) > 0:
		return own.specs(), false, nil
	case len(there) == 0, slices.ContainsFunc(there, entry.staged):
		return nil, false, nil // the current index
	}
	return nil, false, tools.Advise(fmt.Errorf("not committed: no file tool in this conversation changed anything here, and nothing is staged; the changed files are %s", there.list()),
		"List the files for the commit in \"files\", or commit everything with \"add_all\": true.")
}
