package custom

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"marvin/persistence/customtools"
	"marvin/tools"
	"marvin/tools/internal/jail"
	"marvin/tools/internal/proc"
)

// Load makes the tools in the folders of a directory. What is wrong with some does not keep
// the others from being used.
func Load(dir string) (list []tools.Tool, problems []error) {
	found, problems := customtools.List(dir)
	for _, each := range found {
		tool, err := Make(each)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		list = append(list, tool)
	}
	return list, problems
}

// Make makes a tool of a manifest. The error says what is wrong with it.
func Make(own customtools.Tool) (tools.Tool, error) { return build(made{Tool: own}) }

// OfProject makes a tool of a project's manifest that the user accepted. It runs only in the
// sandbox, whatever the sandbox mode and the caller, and only while still returns nil.
func OfProject(brought customtools.Tool, still func() error) (tools.Tool, error) {
	for i, word := range brought.Command {
		inside := strings.HasPrefix(word, "./")
		if inside && !filepath.IsLocal(word) || i == 0 && !inside && !filepath.IsAbs(word) && strings.ContainsAny(word, `/\`) {
			return tools.Tool{}, fmt.Errorf("%s: its command %s is outside the folder; put the program of a project's tool into the folder, as ./run", brought.Name, tools.Visible(word))
		}
	}
	return build(made{brought, still})
}

func build(made made) (tools.Tool, error) {
	own := made.Tool
	if err := made.check(); err != nil {
		return tools.Tool{}, err
	}
	effect := map[string]tools.Effect{"read": tools.Reads, "write": tools.Writes, "irreversible": tools.Irreversible}[own.Effect]
	definition := tools.Definition{
		Name: own.Name, Doc: own.Description, Schema: own.Parameters, Examples: own.Examples, Effect: effect, Brings: tools.Private, Pool: tools.Command,
		Timeout: own.Timeout, Command: strings.Join(own.Command, " ") + "  (in " + own.Dir + ")", Run: made.run,
	}
	if effect == tools.Derived { // outside, or nothing said: others may see it, and may answer
		definition.Effect, definition.Brings, definition.To = tools.Outside, tools.Strangers, own.Name
		if made.still != nil {
			definition.Brings = tools.Messages // it may give back whatever the model wrote
		}
	}
	tool, err := tools.Raw(definition)
	if err != nil {
		return tools.Tool{}, fmt.Errorf("%s: %w", made.manifest(), err)
	}
	return tool, nil
}

// made is a tool of the user's, or of a project.
type made struct {
	customtools.Tool
	still func() error // of a project's: says why it must not run any more
}

func (m made) manifest() string { return filepath.Join(m.Dir, customtools.Manifest) }

// outside says whether the tool may send something: its manifest says so, or nothing.
func (m made) outside() bool { return m.Effect == "" || m.Effect == "outside" }

// check says why the program cannot be run.
func (m made) check() error {
	program := m.Command[0]
	if !strings.ContainsAny(program, `/\`) {
		return nil // found on PATH when it is run
	}
	path := m.file(program)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return fmt.Errorf("%s: its command %s does not exist; create it, or correct command:", m.manifest(), path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: its command %s is not a file", m.manifest(), path)
	case info.Mode()&0o100 == 0 && !strings.HasSuffix(path, ".exe"):
		return fmt.Errorf("%s: its command cannot be run; chmod +x %s", m.manifest(), path)
	}
	return nil
}

// file is where a word of the command lies: ./x in the folder.
func (m made) file(word string) string {
	if strings.HasPrefix(word, "./") {
		return filepath.Join(m.Dir, word)
	}
	return word
}

// run gives the program the arguments and takes what it prints.
func (m made) run(ctx context.Context, env tools.Env, arguments json.RawMessage) (tools.Output, error) {
	if m.still != nil {
		if err := m.still(); err != nil {
			return tools.Output{}, err
		}
	}
	command := proc.Command{Name: m.file(m.Command[0]), Dir: env.Dir, Environ: env.Environ, Stdin: string(arguments) + "\n", Ends: true, Shown: []string{m.Dir}}
	for _, word := range m.Command[1:] {
		command.Args = append(command.Args, m.file(word))
	}
	if env.Root == "" { // a conversation without a directory: it gets a private one
		scratch, err := os.MkdirTemp("", "marvin-tool-")
		if err != nil {
			return tools.Output{}, fmt.Errorf("a directory for the tool: %w", err)
		}
		defer os.RemoveAll(scratch)
		env.Root = scratch
	}
	if command.Dir == "" {
		command.Dir = env.Root
	}
	cell, err := m.cell(env)
	if err != nil {
		return tools.Output{}, err
	}
	lines := &lines{tell: env.Progress}
	spool := env.NewSpool(m.Name, m.Name)
	command.Jail, command.Stderr, command.Beside = cell, lines, spool
	if cell == nil {
		m.unconfined(&command, env)
	}
	result, err := proc.Run(ctx, command)
	lines.end()
	output := tools.Output{Text: spool.Told(result.Stdout)}
	said := strings.TrimSpace(tools.Visible(lines.said()))
	switch {
	case err != nil && ctx.Err() != nil:
		return output, fmt.Errorf("%s was stopped with all its processes: %w", m.Name, context.Cause(ctx))
	case err != nil:
		return output, tools.Unconfined(err)
	case result.Signal != "":
		return output, tools.Advise(fmt.Errorf("%s was ended by a signal (%s)", m.Name, result.Signal), "%s", said)
	case result.ExitCode != 0:
		return output, tools.Advise(fmt.Errorf("%s failed with exit code %d", m.Name, result.ExitCode), "%s", said)
	}
	return output, nil
}

// unconfined has a program that nothing holds found where the project cannot write, and look
// for others there, unless the user gave the sandbox up. The files in the tool's folder are
// the user's, wherever the conversation works: no tool writes there, and no jail.
func (m made) unconfined(command *proc.Command, env tools.Env) {
	given := env.Sandbox.Mode() == tools.SandboxOff
	command.WholePath = given || strings.HasPrefix(m.Command[0], "./")
	if command.WholePath && !given {
		command.Environ = tools.Trusted(env.Environ)
	}
}

// cell is what holds the program. The user's yes is to the call. It lets a program run without a
// sandbox only where there is no sandbox.
func (m made) cell(env tools.Env) (*jail.Jail, error) {
	if m.still != nil {
		if env.Sandbox == nil {
			return nil, tools.Advise(tools.ErrUnconfined, "a project's tool runs in the sandbox only, and there is none here")
		}
		cell, err := env.JailAlways(env.HeldTo())
		if err != nil {
			return nil, tools.Unconfined(err)
		}
		if !m.outside() { // it says itself that it sends nothing, which is no reason to believe it
			cell = cell.WithoutNetwork()
		}
		return cell, nil
	}
	held := env
	held.Approved, held.Free = false, false
	cell, err := held.Jail()
	if errors.Is(err, tools.ErrUnconfined) && (env.Approved || env.Free) && !env.Confines() {
		return nil, nil
	}
	return cell, err
}
