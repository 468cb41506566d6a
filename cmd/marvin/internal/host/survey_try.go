package host

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/messages"
	written "marvin/persistence/words"
	"marvin/tools"
	"marvin/tools/shell"
	"marvin/tools/toolbox"
)

// "/init test" runs each command under the permission rules and in the sandbox of run_command. By
// typing "/init test", the user consents to the listed commands. Marvin does not run commands that
// need additional consent.

// triedFor is the timeout of each command.
const triedFor = 2 * time.Minute

// triable is true if a command builds, tests or lints. For a "make" target or a package script,
// only the name counts. Other commands, such as "deploy" and "clean", are left to the user.
func triable(one surveyedCommand) bool {
	if slices.Contains([]string{"build", "test", "look for mistakes"}, one.about) && !strings.HasPrefix(one.line, "make ") {
		return true
	}
	words := strings.FieldsFunc(one.line[strings.LastIndexByte(one.line, ' ')+1:], func(r rune) bool { return strings.ContainsRune(":-_.", r) })
	return len(words) > 0 && !slices.ContainsFunc(words, func(word string) bool {
		return !slices.Contains([]string{"build", "compile", "test", "tests", "unit", "check", "lint", "vet", "typecheck", "types"}, word)
	})
}

// Try implements [command.Host].
func (h typedWords) Try(ctx context.Context, dir, line string, mode messages.Approval) (became, last string) {
	root, _ := written.RootOf(cmp.Or(dir, h.parts.World.Dir))
	config := h.parts.Config
	with := tools.Mode{Coding: true, Person: true, ReadOnly: h.parts.ReadOnly}
	env := tools.Env{
		Home: config.Home.User, State: config.Home.State, Dir: root, Root: root, Coding: true, Person: true, ReadOnly: h.parts.ReadOnly,
		Approval: mode, Held: tools.Held{Sandbox: config.Sandbox}, Environ: tools.WithMode(config.Environ, with), Now: config.Now,
		Known: &tools.KnownHosts{}, Seen: &tools.Stamps{}, Progress: func(string) {},
	}
	if err := mayTry(config.Tools.Snapshot(), config.Permissions, with, &env, line); err != nil {
		return "not tried: " + onOneLine(err), ""
	}
	code, last, err := shell.Attempt(ctx, env, line, triedFor)
	switch {
	case err == nil && code == 0:
		return "worked here", ""
	case err == nil:
		return fmt.Sprintf("failed here: exit %d", code), last
	case errors.Is(err, context.Canceled):
		return "not finished: it was cancelled", last
	case errors.Is(err, tools.ErrDeadline):
		return fmt.Sprintf("failed here: not finished after %.0f minutes", triedFor.Minutes()), last
	case errors.Is(err, tools.ErrUnconfined):
		return "not tried: " + onOneLine(err), ""
	}
	return "failed here: " + onOneLine(err), last
}

// mayTry applies the permission rules of run_command to a command. If the command must not run,
// mayTry returns an error with the reason.
func mayTry(registry *toolbox.Registry, permissions *tools.Permissions, mode tools.Mode, env *tools.Env, line string) error {
	tool, err := registry.Find(shell.Tools()[0].Name, mode)
	if err != nil {
		return err
	}
	arguments, err := json.Marshal(map[string]any{"command": line, "timeout": int(triedFor.Seconds())})
	if err != nil {
		return err
	}
	call, err := tool.Decode(arguments)
	if err != nil {
		return err
	}
	title, _ := call.Confirm(*env)
	verdict := permissions.Judge(call, *env, arguments, title != "")
	if verdict.Decision == tools.Deny || verdict.Decision == tools.Ask && (verdict.Firm || verdict.Ruled || len(verdict.Beyond) > 0 || verdict.Host != "") {
		if len(verdict.Reasons) > 0 {
			return errors.New(verdict.Reasons[0])
		}
		return tools.Refused(verdict, call)
	}
	return nil
}

func onOneLine(err error) string {
	if advice, ok := errors.AsType[*tools.Advice](err); ok {
		err = advice.Err
	}
	return firstOf(strings.ReplaceAll(strings.Join(strings.Fields(tools.Visible(err.Error())), " "), "`", "'"))
}
