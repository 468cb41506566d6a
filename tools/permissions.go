package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"marvin/tools/internal/jail"
	"marvin/tools/internal/permit"
)

// Effect is what a call does to the world, for those who decide about it.
type Effect uint8

// The effects. A tool that says nothing reads.
const (
	Derived      Effect = iota
	Reads               // changes nothing that anybody would miss
	Writes              // changes files or settings of the user, in a way that can be undone
	Irreversible        // may destroy data, or start unforeseeable effects
	Outside             // others see it: it sends, publishes, buys, plays
)

func (e Effect) String() string {
	return [...]string{"derived", "reads", "writes", "irreversible", "outside"}[e]
}

// Permissions are the user's rules about calls; nil has none.
type Permissions struct {
	rules *permit.Rules
	may   func(Tool) bool // nil for every tool
	whose string
}

// Limit allows only some tools, whatever the rules say, also tools that are not known yet. Whose names
// for people what sets the limit.
func (p *Permissions) Limit(may func(Tool) bool, whose string) { p.may, p.whose = may, whose }

// NewPermissions reads rules such as set_working_dir or run_command(git push *).
func NewPermissions(allow, ask, deny []string) (*Permissions, error) {
	rules, err := permit.ParseRules(allow, ask, deny)
	return &Permissions{rules: rules}, err
}

// denies says whether every call of a tool is denied.
func (p *Permissions) denies(tool string) bool { return p != nil && p.rules.Denies(tool) }

// Verdict is what becomes of a call.
type Verdict = permit.Verdict

// The decisions of a [Verdict].
const (
	Allow = permit.Allow
	Ask   = permit.Ask
	Deny  = permit.Deny
)

// Judge decides about a call; asks says that the tool wants consent for it. The approval
// mode has the last word: see [approve].
func (p *Permissions) Judge(call Call, env Env, args json.RawMessage, asks bool) Verdict {
	var rules *permit.Rules
	if p != nil {
		if p.may != nil && !p.may(*call.Tool) {
			return Verdict{
				Decision: Deny, Ruled: true, Reasons: []string{"the rights of " + p.whose + " do not include " + call.Tool.Name},
				Advice: "Do without it, and do not try it in another form.",
			}
		}
		rules = p.rules
	}
	verdict := rules.Judge(call.ruled(env, args, asks), call.place(env))
	if verdict.ReadOnly && verdict.Decision == Ask && !verdict.Firm && !verdict.Ruled && env.holdsReaders() {
		verdict.Decision = readers(env.approval())
	}
	verdict = judgeDirs(rules, call, env, verdict)
	verdict = judgeWrites(rules, call, env, verdict)
	verdict = p.outflow(verdict, call, env)
	return approve(verdict, env.approval(), call.Tool.Writes, env.Person)
}

// Refused is the error of a call that a verdict denies. It wraps [ErrForbidden].
func Refused(verdict Verdict, call Call) error {
	err := fmt.Errorf("%w without a user to approve it", ErrForbidden)
	switch {
	case verdict.Ruled:
		err = fmt.Errorf("%w by the user's rules", ErrForbidden)
	case verdict.Planned:
		err = fmt.Errorf("%w while the user wants a plan", ErrForbidden)
	}
	return &Advice{Err: err, Next: verdict.Refusal(call.Command)}
}

// Sandbox holds commands by means of the operating system; nil holds nothing.
type Sandbox = jail.Keeper

// SandboxConfig is what a sandbox is made of.
type SandboxConfig = jail.Config

// NewSandbox makes a sandbox. It touches nothing until a command is run.
func NewSandbox(config SandboxConfig) *Sandbox { return jail.NewKeeper(config) }

// SandboxNote says once, in a line for people, what commands destroyed or left in the sandbox's /tmp,
// and where it is kept; "" for nothing.
func SandboxNote(sandbox *Sandbox) string {
	const most = 8
	dir, names, err := sandbox.Kept()
	if len(names) == 0 && err == nil {
		return ""
	}
	shown := names[:min(len(names), most)]
	if more := len(names) - most; more > 0 {
		shown = append(shown[:most:most], fmt.Sprintf("%d more", more))
	}
	line := fmt.Sprintf("stored for 30 days in %s, because commands deleted or overwrote it or left it in the sandbox's /tmp: %s", Visible(dir), Visible(strings.Join(shown, ", ")))
	if err != nil {
		line += " (not all of it: " + Visible(err.Error()) + ")"
	}
	return line
}

// SandboxMode says how much commands are held.
type SandboxMode = jail.Mode

// The modes of a sandbox. Auto holds commands that no person looked at.
const (
	SandboxAuto      = jail.Auto
	SandboxOff       = jail.Off
	SandboxWorkspace = jail.Workspace
	SandboxStrict    = jail.Strict
)

// ErrUnconfined means that a command was not run, because the system cannot hold it.
var ErrUnconfined = errors.New("the command was not run")

// Confines says whether commands of this call run in the sandbox.
func (e Env) Confines() bool {
	switch e.Sandbox.Mode() {
	case SandboxOff:
		return false
	case SandboxAuto:
		return !e.Approved && !e.Free
	}
	return true
}

// Jail is the jail of this call's command, nil for none. The error wraps [ErrUnconfined] and gives
// the next step. A jail is for one command.
func (e Env) Jail() (*jail.Jail, error) {
	if !e.Confines() {
		return nil, nil
	}
	cell, err := e.jailIn(e.HeldTo())
	return cell, Unconfined(err)
}

// HeldTo is the directory to which the sandbox holds what this call runs: the root, or a directory
// that the user's editor opened beside it if the call works there.
func (e Env) HeldTo() string {
	for _, opened := range e.Sandbox.Opened() {
		if below(e.Dir, opened) {
			return opened
		}
	}
	return e.Root
}

// heldPlaces are all directories to which calls of this conversation may be held.
func (e Env) heldPlaces() []string { return append([]string{e.Root}, e.Sandbox.Opened()...) }

// JailAlways is the jail of one command that the sandbox holds to a directory even where the
// user said yes to the call: they said yes to a commit or to a tool, not to the programs that
// the project runs for it.
func (e Env) JailAlways(root string) (*jail.Jail, error) {
	e.Approved = false
	return e.jailIn(root)
}

func (e Env) jailIn(root string) (*jail.Jail, error) {
	cell, err := e.Sandbox.Jail(root)
	if err != nil {
		return nil, err
	}
	e.Root = root
	return e.throughHosts(cell), nil
}

// Unconfined converts an error of a jail into one with the next step; other errors stay as they
// are.
func Unconfined(err error) error {
	if !errors.Is(err, jail.ErrMissing) && !errors.Is(err, jail.ErrPlace) {
		return err
	}
	return Advise(errors.Join(ErrUnconfined, err),
		"Without it Marvin runs no unapproved command. Tell the user: start Marvin with --sandbox off (or set sandbox: off in config.yaml) to run commands with all their rights, for instance in a container that confines them already. Until then use the file, search and git tools.")
}

// OutsideSandbox refuses a call that would run outside of every sandbox: nil if a person approved
// it, unless the user wants commands in the sandbox always, else an error that wraps
// [ErrUnconfined], after which the person may still be asked.
func (e Env) OutsideSandbox(why string) error {
	if (e.Approved || e.Free) && !e.Confines() {
		return nil
	}
	return Advise(fmt.Errorf("%w: %s", ErrUnconfined, why), "Tell the user to install what is missing, or do without it.")
}

// Rules are those that the user gave; nil if there are none.
func (p *Permissions) Rules() *permit.Rules {
	if p == nil {
		return nil
	}
	return p.rules
}

// ErrForbidden means that policy, not a person, refuses a call.
var ErrForbidden = errors.New("not allowed")
