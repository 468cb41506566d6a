package tickets

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/proc"
)

type tkArgs struct {
	Args string `json:"args" doc:"Arguments, quoted as in a shell" alias:"command,arguments" example:"show mar-3n5i"`
}

func (s *Service) tkTool() tools.Tool {
	return tools.New(tools.Def[tkArgs]{
		Name: "tk", Brings: tools.Private,
		Effect: tools.Writes,
		Doc: "Run a tk command on the project's tickets: create \"title\" -d text -t type -p 0-4 --parent ID, start ID, close ID, " +
			"add-note ID \"text\", show ID, ls --status=open, ready, blocked, dep A B, dep tree ID.",
		Examples: []string{"tk {show mar-3n5i|args}", "run tk {ls --status=open|args}"},
		Needs:    tools.Needs{Coding: true}, Access: tools.Exclusive, Pool: tools.Proc, Timeout: 30 * time.Second,
		Run: s.tk,
	})
}

func (s *Service) tk(ctx context.Context, env tools.Env, in tkArgs) (tools.Output, error) {
	args, err := splitWords(in.Args)
	if err != nil {
		return tools.Output{}, err
	}
	if len(args) > 0 && args[0] == "tk" {
		args = args[1:]
	}
	if len(args) == 0 {
		return tools.Output{}, tools.Advise(errors.New("the call gives no command for tk"), "For example: \"ls\", or \"show\" with a ticket's ID.")
	}
	if args[0] == "dep-tree" { // an older spelling
		args = append([]string{"dep", "tree"}, args[1:]...)
	}
	if args[0] == "create" && env.Compact != nil && firstCreate(env) {
		return tools.Output{}, tools.Advise(errors.New("nothing was created: in every conversation, Marvin rejects the first \"tk create\" on purpose"),
			"First check with \"tk ls\" that no such ticket exists. Then create it with a description (-d) that lets someone else do the work: "+
				"what is wrong or wanted, where in the code it is, and how to tell that it is done.")
	}
	dir, err := start(env)
	if err != nil {
		return tools.Output{}, err
	}
	result, err := proc.Run(ctx, proc.Command{Name: "tk", Args: args, Dir: dir, Environ: env.Environ})
	switch {
	case errors.Is(err, proc.ErrNotFound):
		return s.native(ctx, env, args)
	case err != nil:
		return tools.Output{}, err
	}
	text := result.Stdout.Text() + result.Stderr.Text()
	if result.ExitCode != 0 {
		return tools.Output{}, tools.Advise(fmt.Errorf("tk %s: exit code %d: %s", args[0], result.ExitCode, strings.TrimSpace(text)), "tk help lists its commands.")
	}
	if strings.TrimSpace(text) == "" {
		text = "(no output)"
	}
	return tools.Output{Text: text}, nil
}

// firstCreate returns true for the first "tk create" of a conversation. env.Seen records that call.
// Outside a conversation (for example, in "marvin tool tk"), firstCreate always returns true.
func firstCreate(env tools.Env) bool {
	const asked = "tk create"
	if env.Seen.Stale(asked, nil) {
		return false
	}
	env.Seen.Record(asked, []byte(asked))
	return true
}

// native replaces tk if tk is not installed. It implements only the most common commands.
func (s *Service) native(ctx context.Context, env tools.Env, args []string) (tools.Output, error) {
	command, flags, rest := args[0], map[string]string{}, []string{}
	for i := 1; i < len(args); i++ {
		name, value, assigned := strings.Cut(args[i], "=")
		switch {
		case !strings.HasPrefix(name, "-") || name == "-":
			rest = append(rest, args[i])
			continue
		case !assigned && i+1 < len(args):
			i++
			value = args[i]
		case !assigned:
			return tools.Output{}, fmt.Errorf("tk %s: %s has no value", command, name)
		}
		flags[flagName(name)] = value
	}
	has := func(n int) bool { return len(rest) >= n }
	switch {
	case command == "create" && has(1):
		return s.createByFlags(ctx, env, rest[0], flags)
	case command == "start" && has(1):
		return s.setStatus(ctx, env, rest[0], "in_progress")
	case command == "close" && has(1):
		return s.setStatus(ctx, env, rest[0], "closed")
	case command == "reopen" && has(1):
		return s.setStatus(ctx, env, rest[0], "open")
	case command == "status" && has(2) && slices.Contains([]string{"open", "in_progress", "closed"}, rest[1]):
		return s.setStatus(ctx, env, rest[0], rest[1])
	case command == "add-note" && has(2):
		return s.addNote(ctx, env, noteArgs{ID: rest[0], Note: strings.Join(rest[1:], " ")})
	case command == "show" && has(1):
		return show(env, rest[0])
	case command == "dep" && has(1) && rest[0] == "tree":
		return showTree(env, strings.Join(rest[1:], " "))
	case command == "dep" && has(2):
		return s.depend(ctx, env, dependArgs{ID: rest[0], For: rest[1]})
	case slices.Contains([]string{"ls", "list", "ready", "blocked"}, command):
		return listByFlags(env, command, flags)
	}
	return tools.Output{}, tools.Advise(fmt.Errorf("tk is not installed, and %q needs it", strings.Join(args, " ")),
		"These commands work without it: create TITLE, start ID, close ID, reopen ID, add-note ID TEXT, show ID, ls, ready, blocked, dep A B, dep tree ID. For other commands, ask the user to install github.com/wedow/ticket.")
}

func flagName(name string) string {
	switch name {
	case "-d":
		return "--description"
	case "-t":
		return "--type"
	case "-p":
		return "--priority"
	case "-a":
		return "--assignee"
	case "-T", "--tag":
		return "--tags"
	}
	return name
}

func (s *Service) createByFlags(ctx context.Context, env tools.Env, title string, flags map[string]string) (tools.Output, error) {
	d := draft{title: title, kind: "task", priority: 2}
	for name, value := range flags {
		switch name {
		case "--description":
			d.description = value
		case "--design":
			d.design = value
		case "--acceptance":
			d.acceptance = value
		case "--type":
			if !slices.Contains([]string{"bug", "feature", "task", "epic", "chore"}, value) {
				return tools.Output{}, fmt.Errorf("%q is not a type; choose bug, feature, task, epic or chore", value)
			}
			d.kind = value
		case "--priority":
			number, err := strconv.Atoi(value)
			if err != nil {
				return tools.Output{}, fmt.Errorf("%q is not a priority; give a number from 0 (highest) to 4", value)
			}
			d.priority = min(max(number, 0), 4)
		case "--assignee":
			d.assignee = value
		case "--external-ref":
			d.external = value
		case "--parent":
			d.parent = value
		case "--tags":
			d.tags = []string{value}
		default:
			return tools.Output{}, fmt.Errorf("tk create has no option %s", name)
		}
	}
	return s.create(ctx, env, d)
}

// listByFlags executes the list commands: "ls" and "list" list all tickets, "ready" lists the
// unfinished tickets without open dependencies, and "blocked" lists those with open dependencies.
func listByFlags(env tools.Env, command string, flags map[string]string) (tools.Output, error) {
	return list(env, func(dir *store, t ticket) bool {
		if status := flags["--status"]; status != "" && t.status != status {
			return false
		}
		if tag := flags["--tags"]; tag != "" && !t.tagged(tag) {
			return false
		}
		if command == "ls" || command == "list" {
			return true
		}
		return t.status != "closed" && (command == "blocked") == (len(dir.unfinished(t)) > 0)
	})
}
