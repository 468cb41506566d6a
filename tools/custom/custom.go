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

// Load makes tools from the folders in a directory. It skips faulty folders, and returns an error
// for each.
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

// Make makes a tool from a manifest. The error describes the fault in the manifest.
func Make(own customtools.Tool) (tools.Tool, error) { return build(customTool{Tool: own}) }

// OfProject makes a tool from a manifest in the project. The tool always runs in the sandbox,
// whatever the sandbox mode. A call fails if check returns an error.
func OfProject(brought customtools.Tool, check func() error) (tools.Tool, error) {
	for i, word := range brought.Command {
		inside := strings.HasPrefix(word, "./")
		if inside && !filepath.IsLocal(word) || i == 0 && !inside && !filepath.IsAbs(word) && strings.ContainsAny(word, `/\`) {
			return tools.Tool{}, fmt.Errorf("%s: its command %s is outside the tool's folder; put the program into the folder, as ./run", brought.Name, tools.Visible(word))
		}
	}
	return build(customTool{brought, check})
}

func build(made customTool) (tools.Tool, error) {
	own := made.Tool
	if err := made.check(); err != nil {
		return tools.Tool{}, err
	}
	effect := map[string]tools.Effect{"read": tools.Reads, "write": tools.Writes, "irreversible": tools.Irreversible}[own.Effect]
	definition := tools.Definition{
		Name: own.Name, Doc: own.Description, Schema: own.Parameters, Examples: own.Examples, Effect: effect, Brings: tools.Private, Pool: tools.Command,
		Timeout: own.Timeout, Command: strings.Join(own.Command, " ") + "  (in " + own.Dir + ")", Run: made.run,
	}
	// A tool whose effect is "outside" or missing can exchange data with outsiders.
	if effect == tools.Derived {
		definition.Effect, definition.Brings, definition.Server = tools.Outside, tools.Strangers, own.Name
		if made.still != nil {
			definition.Brings = tools.Messages // the model might be the author of the result
		}
	}
	tool, err := tools.Raw(definition)
	if err != nil {
		return tools.Tool{}, fmt.Errorf("%s: %w", made.manifest(), err)
	}
	return tool, nil
}

type customTool struct {
	customtools.Tool
	still func() error // called before a project's tool runs; nil for the user's own tool
}

func (m customTool) manifest() string { return filepath.Join(m.Dir, customtools.Manifest) }

// sendsData reports whether the manifest allows the tool to send data. Without an effect in the
// manifest, sending is allowed.
func (m customTool) sendsData() bool { return m.Effect == "" || m.Effect == "outside" }

// check verifies that the program exists and is executable.
func (m customTool) check() error {
	program := m.Command[0]
	if !strings.ContainsAny(program, `/\`) {
		return nil // PATH is searched when the tool runs
	}
	path := m.wordPath(program)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return fmt.Errorf("%s: its command %s does not exist; create it, or correct \"command:\"", m.manifest(), path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: its command %s is not a file", m.manifest(), path)
	case info.Mode()&0o100 == 0 && !strings.HasSuffix(path, ".exe"):
		return fmt.Errorf("%s: its command cannot be run; make it executable with chmod +x %s", m.manifest(), path)
	}
	return nil
}

// wordPath returns a word of the command, with a leading "./" replaced by the tool's folder.
func (m customTool) wordPath(word string) string {
	if strings.HasPrefix(word, "./") {
		return filepath.Join(m.Dir, word)
	}
	return word
}

// run executes the program and returns its output. The arguments are the program's standard input.
func (m customTool) run(ctx context.Context, env tools.Env, arguments json.RawMessage) (tools.Output, error) {
	if m.still != nil {
		if err := m.still(); err != nil {
			return tools.Output{}, err
		}
	}
	command := proc.Command{Name: m.wordPath(m.Command[0]), Dir: env.Dir, Environ: env.Environ, Stdin: string(arguments) + "\n", Ends: true, Shown: []string{m.Dir}}
	for _, word := range m.Command[1:] {
		command.Args = append(command.Args, m.wordPath(word))
	}
	if env.Root == "" { // without a working directory, the program gets a temporary one
		scratch, err := os.MkdirTemp("", "marvin-tool-")
		if err != nil {
			return tools.Output{}, fmt.Errorf("make a directory for the tool: %w", err)
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
	lines := &stderrLines{tell: env.Progress}
	spool := env.NewSpool(m.Name, m.Name)
	command.Jail, command.Stderr, command.Beside = cell, lines, spool
	if cell == nil {
		m.prepareUnconfined(&command, env)
	}
	result, err := proc.Run(ctx, command)
	lines.end()
	output := tools.Output{Text: spool.FinishText(result.Stdout)}
	said := strings.TrimSpace(tools.Visible(lines.text()))
	switch {
	case err != nil && ctx.Err() != nil:
		return output, fmt.Errorf("%s was stopped with all its processes: %w", m.Name, context.Cause(ctx))
	case err != nil:
		return output, tools.AdviseUnconfined(err)
	case result.Signal != "":
		return output, tools.Advise(fmt.Errorf("%s was ended by a signal (%s)", m.Name, result.Signal), "%s", said)
	case result.ExitCode != 0:
		return output, tools.Advise(fmt.Errorf("%s failed with exit code %d", m.Name, result.ExitCode), "%s", said)
	}
	return output, nil
}

// prepareUnconfined prepares a program that runs outside the sandbox. If the sandbox mode is not
// "off", PATH is limited to directories where the project cannot write. The tool's own folder is
// trusted, because no tool and no confined command can write there.
func (m customTool) prepareUnconfined(command *proc.Command, env tools.Env) {
	given := env.Sandbox.Mode() == tools.SandboxOff
	command.WholePath = given || strings.HasPrefix(m.Command[0], "./")
	if command.WholePath && !given {
		command.Environ = tools.Trusted(env.Environ)
	}
}

// cell returns the jail for the program. The user's approval of the call does not widen the jail.
// If the system has no sandbox, an approved call of the user's own tool runs without a jail.
func (m customTool) cell(env tools.Env) (*jail.Jail, error) {
	if m.still != nil {
		if env.Sandbox == nil {
			return nil, tools.Advise(tools.ErrUnconfined, "a tool from the project runs only in the sandbox, and there is no sandbox here")
		}
		cell, err := env.JailAlways(env.HeldTo())
		if err != nil {
			return nil, tools.AdviseUnconfined(err)
		}
		if !m.sendsData() { // the manifest says that the tool sends nothing, so its jail has no network
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
