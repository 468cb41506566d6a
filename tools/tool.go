package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"marvin/tools/internal/params"
)

// FindOthers is the advice for a model that called an unknown tool.
const FindOthers = "Find a tool by its purpose with find_tools."

// Def defines a tool. In is the struct that holds the tool's arguments. Its fields have these tags:
//
//	json:"name"        the parameter's name
//	doc:"…"            one sentence for the model and for errors
//	sent:"…"           the parameter's description in the first request; see [WithOutline]
//	default:"…"        the default value, possibly empty
//	min:"1" max:"20"   numbers outside the range are clamped, not refused
//	limits:"time"      the user and the model are told if a number above max was reduced
//	enum:"a,b"         the allowed values, compared case-insensitively
//	alias:"x,y"        other names that a call may use for the parameter
//	example:"…"        a value for the example in errors
//
// A parameter is optional if its field is a pointer or has a default tag or the omitempty option.
type Def[In any] struct {
	Name string
	Doc  string // for the model: what the tool does, when to use it, what it returns
	// Examples are requests in a user's words. In a request, {value|parameter} marks the value of a
	// parameter: "convert {12|value} {km|from_unit} to {miles|to_unit}". The form
	// {=value|parameter} marks a value that the request only implies. Tool search and the offline
	// provider use the examples.
	Examples []string

	// Keys says which keys the tool uses and what happens without them, for example "OMDB_API_KEY;
	// without it the web is searched". It appears in the documentation.
	Keys string

	Needs   Needs // conditions under which the tool is available
	Core    bool  // the model always gets the tool without calling find_tools
	Chat    bool  // like Core, but only outside coding mode
	Steers  bool  // changes only the conversation; Marvin judges the resulting calls separately
	Leaves  bool  // a running call can move to the background
	Pages   bool  // the tool fits its result into Env.Room, and returns an error if little room is left
	Effect  Effect
	Access  Access
	Pool    Pool
	Brings  Origin // origin of the returned text; derived from other fields by default
	Service string // the fixed hosts that the tool contacts, for display: "api.example.com"

	// Timeout is the time limit for a call; 0 means [DefaultTimeout]. For a tool in the Agent pool,
	// time spent waiting for the user's answers is not counted.
	Timeout time.Duration
	// TimeoutFor, if set, returns the timeout for one call, and Timeout is ignored.
	TimeoutFor func(In) time.Duration
	// State is a name for data, other than files, that the tool reads or writes. In a reply, calls
	// with the same State run in order if one of them writes. The default is the tool's section. Tools
	// that use the working directory or only read from the network have no default.
	State string
	// Places, if set, returns all places that one call reads or writes. Otherwise Access, State and
	// Effect determine the places.
	Places func(Env, In) []Place
	// Confirm, if set, returns the title and the detail of an approval question. The detail
	// describes the exact effect of the call. If title is "", the tool itself needs no approval.
	Confirm func(Env, In) (title, detail string)
	// Sends, if set, returns the destinations that the model chose. A tool that uses the network
	// sets Sends or Service.
	Sends func(Env, In) []Destination
	// Command, if set, returns the shell command that the call runs. Marvin parses the command to
	// judge the call, and the user's rules can match parts of it.
	Command func(In) string
	// Dirs, if set, returns the directories in which the call works, as the model wrote them. An
	// empty string means the working directory. The directories are approved before the call runs,
	// and the call enters them with [Env.Enter].
	Dirs func(In) []string
	// Title, if set, describes the call to the user in one line. The default title consists of the
	// tool's name and the first arguments.
	Title func(In) string
	// Fold, if set, rewrites the arguments before they are checked, for example if a model sends
	// two numbers instead of one string. Numbers in the map have type json.Number. If only the name
	// of an argument differs, use an alias instead.
	Fold func(arguments map[string]any)
	// Raw, if set, parses arguments that are not JSON.
	Raw func(string) (In, bool)
	// Run does the work. It must return when ctx is done. Its error should advise the model; see
	// [Advise].
	Run func(ctx context.Context, env Env, in In) (Output, error)
}

// Needs contains the conditions under which a conversation has a tool; see [Mode].
type Needs struct {
	Coding      bool // only in coding mode
	Interactive bool // only with a user present
	TopOnly     bool // not for sub-agents
	Planning    bool // only when the user wants a plan
}

// Access says how a call uses the working directory. Shared calls run concurrently. While an
// Exclusive call runs, no other call uses the directory.
type Access uint8

// The kinds of access. A call with Free access does not use the working directory.
const (
	Free Access = iota
	Shared
	Exclusive
)

// Pool is a class of calls. Each class has its own limit on concurrent calls.
type Pool uint8

// Proc is for programs that end within seconds, such as git. Command has separate slots, because
// programs that the user chooses can run for minutes. Agent is for calls that wait for other calls
// or for the user.
const (
	Local Pool = iota
	Net
	Proc
	Agent
	Command
)

func (p Pool) String() string { return [...]string{"local", "net", "proc", "agent", "command"}[p] }

func (p Pool) runsPrograms() bool { return p == Proc || p == Command }

// DefaultTimeout is the timeout of a call whose tool declares none.
const DefaultTimeout = 30 * time.Second

// Tool is a [Def] without its type parameter. The zero value is not a tool.
type Tool struct {
	Name     string
	Doc      string
	Examples []string
	Keys     string
	Section  string // section of the documentation; set by the registry
	Needs
	Core     bool
	Chat     bool
	Writes   bool // the tool makes changes, so Mode.ReadOnly disables it
	Steers   bool
	Leaves   bool
	Pages    bool
	Confirms bool
	Effect   Effect
	Access   Access
	State    string
	Pool     Pool
	Brings   Origin
	Service  string
	Sends    bool // sends data to destinations that the model chooses
	Timeout  time.Duration

	described bool // an outsider wrote the description
	foreign   bool // the tool was made by [Raw]
	form
	decode func(json.RawMessage) (Call, error)
}

// form contains the descriptions of a tool's parameters.
type form struct {
	schema    func() (json.RawMessage, error)
	outline   func() (json.RawMessage, error) // see [WithOutline]; nil means that the full schema is used
	brief     string                          // short description for the first request; "" means that Doc is used
	params    func() (*params.Parameters, error)
	signature func() []string
	fields    func() []string // returns the names of the parameters without inferring the schema
}

// Call is a decoded, checked call, ready to run.
type Call struct {
	Tool    *Tool
	Title   string        // one short line for the user
	Timeout time.Duration // timeout of this call
	Confirm func(Env) (title, detail string)
	Places  func(Env) []Place // the places that the call reads and writes
	Command *string           // shell command, if the tool runs one
	Dirs    func() []string
	sends   func(Env) []Destination
	change  func(Env) string // see [WithPreview]
	args    func() (json.RawMessage, error)
	Run     func(context.Context, Env) (Output, error)
}

// New makes a tool from its definition. The schema of the arguments is inferred on first use. If
// that fails, [Tool.Schema] and [Tool.Decode] return an error. Tests call Decode for every
// registered tool.
func New[In any](def Def[In]) Tool {
	of := typedFuncs{
		in:  reflect.TypeFor[In](),
		run: func(ctx context.Context, env Env, in any) (Output, error) { return def.Run(ctx, env, *in.(*In)) },
	}
	if def.Raw != nil {
		of.raw = func(text string) (any, bool) { in, ok := def.Raw(text); return &in, ok }
	}
	if def.Title != nil {
		of.title = func(in any) string { return def.Title(*in.(*In)) }
	}
	if def.TimeoutFor != nil {
		of.timeout = func(in any) time.Duration { return def.TimeoutFor(*in.(*In)) }
	}
	if def.Confirm != nil {
		of.confirm = func(env Env, in any) (string, string) { return def.Confirm(env, *in.(*In)) }
	}
	if def.Dirs != nil {
		of.dirs = func(in any) []string { return def.Dirs(*in.(*In)) }
	}
	if def.Places != nil {
		of.places = func(env Env, in any) []Place { return def.Places(env, *in.(*In)) }
	}
	if def.Command != nil {
		of.command = func(in any) string { return def.Command(*in.(*In)) }
	}
	if def.Sends != nil {
		of.sends = func(env Env, in any) []Destination { return def.Sends(env, *in.(*In)) }
	}
	effect := max(def.Effect, Reads)
	return newTool(Tool{
		Name: def.Name, Doc: def.Doc, Examples: def.Examples, Keys: def.Keys, Needs: def.Needs, Core: def.Core, Chat: def.Chat,
		Writes: effect > Reads && !def.Steers, Steers: def.Steers, Leaves: def.Leaves, Pages: def.Pages, Confirms: def.Confirm != nil,
		Effect: effect, Access: def.Access, State: def.State, Pool: def.Pool, Timeout: def.Timeout,
		Brings: def.Brings.orDerived(effect, def.Pool, def.Needs.Coding), Service: def.Service, Sends: def.Sends != nil,
	}, of, def.Fold)
}

// Foreign reports whether outsiders wrote the tool's results, such as web pages, posts or mail.
func (t Tool) Foreign() bool { return t.Brings >= Strangers }

// Networked reports whether the tool's results come directly from the network. Later calls are
// allowed to request the addresses in such results. Results with origin [Messages] do not count: a
// model wrote them, or an outsider addressed them to the user.
func (t Tool) Networked() bool { return t.Brings == Strangers && (t.Service != "" || t.Sends) }

// OutsiderDoc reports whether an outsider (the provider of an external server) wrote the tool's
// description. The user accepted the description when adding the server, but the description may
// still try to instruct the model.
func (t Tool) OutsiderDoc() bool { return t.described }

// Untrusted reports whether the tool's results may contain untrusted or private text, such as web
// pages, files, notes, dates, program output or reports.
func (t Tool) Untrusted() bool { return t.Brings >= Private }

// NeedsCompleteArgs reports whether the tool changes the project, or has effects that cannot be
// undone. A call to such a tool must never be made from incomplete arguments.
func (t Tool) NeedsCompleteArgs() bool {
	return t.Writes && (t.Access == Exclusive || t.Effect == Irreversible)
}

// Parameters returns the names of the tool's parameters, in order.
func (t Tool) Parameters() []string {
	if t.fields == nil {
		return nil
	}
	return t.fields()
}

// Schema returns the JSON schema of the arguments, always as the same bytes.
func (t Tool) Schema() (json.RawMessage, error) { return t.schema() }

// Decode parses a model's arguments into a call. Its errors list the parameters and give an
// example.
func (t Tool) Decode(raw json.RawMessage) (Call, error) {
	call, err := t.decode(raw)
	if err == nil && call.Places == nil {
		call.Places = func(env Env) []Place { return placesOf(t, env) }
	}
	return call, err
}

// Help returns a list of the parameters, one per line.
func (t Tool) Help() (string, error) {
	params, err := t.params()
	if err != nil {
		return "", err
	}
	return params.Help(), nil
}

// Signature lists the parameters as name:type, with optional ones in brackets.
func (t Tool) Signature() []string { return t.signature() }

// WithName returns the tool under another name.
func (t Tool) WithName(name string) Tool {
	decode := t.decode
	t.Name = name
	t.decode = func(raw json.RawMessage) (Call, error) {
		call, err := decode(raw)
		if err != nil {
			return Call{}, err
		}
		tool := *call.Tool
		tool.Name = name
		call.Tool = &tool
		return call, nil
	}
	return t
}

// WithNameNote returns a call whose results and errors end with a note about the tool's name.
// usedName is the name by which the model called the tool.
func (c Call) WithNameNote(usedName string) Call {
	note := fmt.Sprintf("[%s is called %s here]", Visible(usedName), c.Tool.Name)
	run := c.Run
	c.Run = func(ctx context.Context, env Env) (Output, error) {
		output, err := run(ctx, env)
		switch {
		case err == nil:
			output.Text = strings.TrimSuffix(output.Text, "\n") + "\n" + note + "\n"
		case !errors.Is(err, ErrUnconfined):
			err = fmt.Errorf("%w\n%s", err, note)
		}
		return output, err
	}
	return c
}

// WithDecoder returns a copy of the tool. The copy uses the given function to decode calls.
func (t Tool) WithDecoder(decode func(json.RawMessage) (Call, error)) Tool {
	t.decode = decode
	return t
}

// ErrDeadline is the cause of the context's cancellation if a call exceeds its timeout.
var ErrDeadline = errors.New("deadline of the call")

// Arguments returns the call's arguments as the tool receives them: with defaults, and with the
// names from the schema instead of aliases. It returns nil if the arguments are not available.
func (c Call) Arguments() json.RawMessage {
	if c.args == nil {
		return nil
	}
	args, err := c.args()
	if err != nil {
		return nil // cannot happen: the arguments were decoded from JSON
	}
	return args
}
