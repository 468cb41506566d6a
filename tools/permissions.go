package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"marvin/tools/internal/jail"
	"marvin/tools/internal/permit"
)

// Effect is the kind of change that a call makes. Decisions about approval depend on the Effect.
type Effect uint8

// The effects. If a tool declares no effect, [New] assumes [Reads] and [Raw] assumes [Outside].
const (
	Derived      Effect = iota
	Reads               // changes nothing that matters to the user
	Writes              // modifies the user's files or settings; the change can be undone
	Irreversible        // can destroy data, or has effects that cannot be predicted
	Outside             // sends, publishes, buys or plays something that others notice
)

func (e Effect) String() string {
	return [...]string{"derived", "reads", "writes", "irreversible", "outside"}[e]
}

// Permissions contains the user's rules about calls; a nil Permissions has no rules.
type Permissions struct {
	rules *permit.Rules
	may   func(Tool) bool // nil allows every tool
	whose string
}

// Limit denies every tool for which the function returns false, even if a rule allows the tool. The
// reason for a denial names the owner of the limited rights, for example "this scheduled run".
func (p *Permissions) Limit(allows func(Tool) bool, owner string) { p.may, p.whose = allows, owner }

// NewPermissions parses rules such as "set_working_dir" and "run_command(git push *)".
func NewPermissions(allow, ask, deny []string) (*Permissions, error) {
	rules, err := permit.ParseRules(allow, ask, deny)
	return &Permissions{rules: rules}, err
}

func (p *Permissions) denies(tool string) bool { return p != nil && p.rules.Denies(tool) }

// Verdict is the decision about a call, with its reasons.
type Verdict = permit.Verdict

// The decisions of a [Verdict].
const (
	Allow = permit.Allow
	Ask   = permit.Ask
	Deny  = permit.Deny
)

// Judge decides whether a call is allowed. If needsConsent is true, the tool itself requires the
// user's consent.
func (p *Permissions) Judge(call Call, env Env, args json.RawMessage, needsConsent bool) Verdict {
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
	verdict := rules.Judge(call.ruled(env, args, needsConsent), call.place(env))
	if verdict.ReadOnly && verdict.Decision == Ask && !verdict.Firm && !verdict.Ruled && env.confinesUnapproved() {
		verdict.Decision = decideReadOnly(env.approval())
	}
	verdict = judgeDirs(rules, call, env, verdict)
	verdict = judgeWrites(rules, call, env, verdict)
	verdict = p.outflow(verdict, call, env)
	return approve(verdict, env.approval(), call.Tool.Writes, env.Person)
}

// Refused returns the error for a call that a verdict denies. The error wraps [ErrForbidden].
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

// Sandbox uses the operating system to confine commands. A nil Sandbox confines nothing.
type Sandbox = jail.Keeper

// DoctorHint is the last sentence of the text that a sandbox's Lacks method returns. The doctor
// command omits this sentence.
const DoctorHint = jail.DoctorHint

// SandboxConfig is the configuration of a sandbox.
type SandboxConfig = jail.Config

// NewSandbox returns a sandbox. The sandbox does not touch the system before the first command.
func NewSandbox(config SandboxConfig) *Sandbox { return jail.NewKeeper(config) }

// SandboxNote returns a note about the files that Marvin stored because commands deleted them,
// overwrote them, or left them in the sandbox's /tmp. The note contains the storage directory. Each
// file is reported once. If there is nothing to report, the result is "".
func SandboxNote(sandbox *Sandbox) string {
	const most = 8
	dir, names, err := sandbox.TakeKept()
	if len(names) == 0 && err == nil {
		return ""
	}
	if len(names) == 0 {
		return "could not store all files that commands deleted, overwrote or left in the sandbox's /tmp: " + Visible(err.Error())
	}
	shown := names[:min(len(names), most)]
	if more := len(names) - most; more > 0 {
		shown = append(shown[:most:most], fmt.Sprintf("%d more", more))
	}
	line := fmt.Sprintf("stored for 30 days in %s, because commands deleted or overwrote these files or left them in the sandbox's /tmp: %s", Visible(dir), Visible(strings.Join(shown, ", ")))
	if err != nil {
		line += " (not all of it: " + Visible(err.Error()) + ")"
	}
	return line
}

// SandboxMode is the degree of confinement of commands.
type SandboxMode = jail.Mode

// The modes of a sandbox. In SandboxAuto, commands that the user approved run unconfined.
const (
	SandboxAuto      = jail.Auto
	SandboxOff       = jail.Off
	SandboxWorkspace = jail.Workspace
	SandboxStrict    = jail.Strict
)

// ErrUnconfined means that a command was not run, because the system cannot confine it.
var ErrUnconfined = errors.New("the command was not run")

// Confines reports whether this call's commands run in the sandbox.
func (e Env) Confines() bool {
	switch e.Sandbox.Mode() {
	case SandboxOff:
		return false
	case SandboxAuto:
		return !e.Approved && !e.Free
	}
	return true
}

// Jail returns the jail for this call's command, or nil if the command runs unconfined. If the
// command cannot be confined, the error wraps [ErrUnconfined]. Each command needs its own jail.
func (e Env) Jail() (*jail.Jail, error) {
	if !e.Confines() {
		return nil, nil
	}
	cell, err := e.jailIn(e.HeldTo())
	return cell, AdviseUnconfined(err)
}

// HeldTo returns the directory to which the sandbox confines this call's programs. If the call
// works in a directory that the user's editor opened, HeldTo returns that directory. Otherwise it
// returns the root.
func (e Env) HeldTo() string {
	for _, opened := range e.Sandbox.Opened() {
		if below(e.Dir, opened) {
			return opened
		}
	}
	return e.Root
}

// heldPlaces returns every directory to which [Env.HeldTo] can confine a call.
func (e Env) heldPlaces() []string { return append([]string{e.Root}, e.Sandbox.Opened()...) }

// JailAlways returns the jail for a command that stays confined even if the user approved the call.
// For example, an approved commit runs the project's hooks, and the user did not approve these
// hooks.
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

// AdviseUnconfined adds [ErrUnconfined] and advice to [jail.ErrMissing] and [jail.ErrPlace]. It
// returns other errors unchanged.
func AdviseUnconfined(err error) error {
	if !errors.Is(err, jail.ErrMissing) && !errors.Is(err, jail.ErrPlace) {
		return err
	}
	return Advise(errors.Join(ErrUnconfined, err),
		"Without the sandbox, Marvin runs only approved commands. Tell the user: start Marvin with --sandbox off (or set \"sandbox: off\" in config.yaml) to run commands with all of the user's rights, for example in a container that already confines the commands. Until then, use the tools for files, search and git.")
}

// OutsideSandbox returns nil in the modes [SandboxAuto] and [SandboxOff], if the user or the
// approval mode approved this call. In all other cases, the error wraps [ErrUnconfined], so that
// Marvin can ask the user.
func (e Env) OutsideSandbox(why string) error {
	if (e.Approved || e.Free) && !e.Confines() {
		return nil
	}
	return Advise(fmt.Errorf("%w: %s", ErrUnconfined, why), "Do without it, or tell the user to install what is missing.")
}

// Rules returns the user's rules; nil if there are none.
func (p *Permissions) Rules() *permit.Rules {
	if p == nil {
		return nil
	}
	return p.rules
}

// ErrForbidden means that a policy, not the user, refuses a call.
var ErrForbidden = errors.New("not allowed")
