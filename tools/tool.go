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

// Def is a tool in one literal. In is the struct of its arguments, with the tags
//
//	json:"name"        the parameter; ",omitempty" makes it optional
//	doc:"…"            one sentence for the model and for errors
//	sent:"…"           its description in the first request, see [Outlined]
//	default:"…"        the value when absent, which makes it optional; may be ""
//	min:"1" max:"20"   numbers outside are clamped, not refused
//	limits:"time"      a number above max is said to the user and the model
//	enum:"a,b"         the allowed values, compared without case
//	alias:"x,y"        other spellings, folded into the name before checking
//	example:"…"        a value for the example in errors
//
// A field without default and omitempty that is not a pointer is required.
type Def[In any] struct {
	Name string
	Doc  string // for the model: what it does, when to use it, what it returns
	// Examples are requests in a user's words with the slots marked as {value|parameter}: "convert
	// {12|value} {km|from_unit} to {miles|to_unit}". {=value|parameter} is a value implied by the
	// other words. Tool search and the offline provider use them.
	Examples []string

	// Keys says in words which keys of the user's it uses and what happens without,
	// for the documentation: "OMDB_API_KEY; without it the web is searched".
	Keys string

	Needs   Needs // without which the tool is not there
	Core    bool  // sent to the model even when most tools are only found by search
	Chat    bool  // like Core, but only outside coding mode: what people ask for most
	Steers  bool  // changes the conversation only: what comes of it is judged by itself
	Leaves  bool  // changes only the conversation: its consequences are judged by themselves
	Pages   bool  // its result takes the room that there is, and it refuses where there is little: see Env.Room
	Effect  Effect
	Access  Access
	Pool    Pool
	Brings  Origin        // whose words its results hold; derived from the rest if not said
	Service string        // the hosts fixed in the code that it asks, for people: "api.example.com"
	Timeout time.Duration // counted from the moment it runs, without the time in which a person is asked by a call of the pool Agent; 0 means 30 s

	// TimeoutFor, when set, replaces Timeout for one call.
	TimeoutFor func(In) time.Duration
	// State names what the tool reads or writes besides files, for the order of the calls of one
	// reply. The default is the section's state, unless the tool only reads the network.
	State string
	// Places, when set, are all that one call reads or writes, instead of what Access,
	// State and Effect say.
	Places func(Env, In) []Place
	// Confirm, when set, names what a person is asked before the call runs:
	// a title and the exact effect. An empty title asks nothing.
	Confirm func(Env, In) (title, detail string)
	// Sends, when set, says what would leave to which place of the model's choosing. A
	// tool that reaches the network has it or a Service.
	Sends func(Env, In) []Destination
	// Command, when set, is the line that the call gives to a shell. It is judged on
	// its syntax, and rules of the user may name parts of it.
	Command func(In) string
	// Dirs, when set, are the directories that the call will work in, as the model wrote
	// them; "" is the present one. They are decided about before the call runs, which
	// then goes into them by [Env.Enter].
	Dirs func(In) []string
	// Title, when set, is the call in one line for people. Without it the first arguments are.
	Title func(In) string
	// Fold, if set, rewrites arguments of another shape (two numbers for one text, an object for
	// its fields) before they are checked. Numbers are json.Number. For another name alone use an
	// alias.
	Fold func(arguments map[string]any)
	// Raw, when set, accepts arguments that are not JSON at all.
	Raw func(string) (In, bool)
	// Run does the work. It must return when ctx ends. The error is advice for
	// the model: see [Advise].
	Run func(ctx context.Context, env Env, in In) (Output, error)
}

// Needs is what a conversation must be for a tool to be there; see [Mode].
type Needs struct {
	Coding      bool // only in coding mode
	Interactive bool // only with a person present
	TopOnly     bool // not for sub-agents
	Planning    bool // only where a plan is wanted before anything is changed
}

// Access says what a call does with the working directory. Shared calls run
// together; an Exclusive one runs alone among those that touch the same directory.
type Access uint8

// The kinds of access; most tools outside coding never touch the directory.
const (
	Free Access = iota
	Shared
	Exclusive
)

// Pool is the class of work that bounds how many calls run at once.
type Pool uint8

// The pools. Proc is for programs that end within seconds (git, ripgrep). Command is for
// programs of the user's choice, which may wait for minutes and so have slots of their own.
// Agent is for calls that wait for other calls or for the user.
const (
	Local Pool = iota
	Net
	Proc
	Agent
	Command
)

func (p Pool) String() string { return [...]string{"local", "net", "proc", "agent", "command"}[p] }

// runsPrograms reports whether calls of the pool start programs.
func (p Pool) runsPrograms() bool { return p == Proc || p == Command }

// DefaultTimeout bounds a call whose tool declares no deadline of its own.
const DefaultTimeout = 30 * time.Second

// Tool is a [Def] without its type parameter. The zero value is not a tool.
type Tool struct {
	Name     string
	Doc      string
	Examples []string
	Keys     string
	Section  string // of the documentation; set by the registry
	Needs
	Core     bool
	Chat     bool
	Writes   bool // changes something of value: off with MARVIN_READONLY
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
	Sends    bool // to places of the model's choosing, as its calls say
	Timeout  time.Duration

	described bool // by a stranger
	foreign   bool // another program does the work, see [Raw]
	form
	decode func(json.RawMessage) (Call, error)
}

// form is what there is to say of a tool's parameters, to whom.
type form struct {
	schema    func() (json.RawMessage, error)
	outline   func() (json.RawMessage, error) // see [Outlined]; nil is the schema
	brief     string                          // the same of the description; empty is the whole
	params    func() (*params.Parameters, error)
	signature func() []string
	fields    func() []string // names of the parameters, without inferring the schema
}

// Call is a decoded, checked call, ready to run.
type Call struct {
	Tool    *Tool
	Title   string        // one short line for people
	Timeout time.Duration // for this call
	Confirm func(Env) (title, detail string)
	Places  func(Env) []Place // what it reads and writes
	Command *string           // for a shell, if the tool runs one
	Dirs    func() []string
	sends   func(Env) []Destination
	change  func(Env) string // see [Showing]
	args    func() (json.RawMessage, error)
	Run     func(context.Context, Env) (Output, error)
}

// New makes a tool from its definition. Nothing is inferred until the schema is
// asked for or a call is decoded; a struct that cannot be described is an error
// there, and the test over the registry touches every tool.
func New[In any](def Def[In]) Tool {
	of := typed{
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
		Brings: def.Brings.or(effect, def.Pool, def.Needs.Coding), Service: def.Service, Sends: def.Sends != nil,
	}, of, def.Fold)
}

// Foreign says that results of the tool hold what strangers wrote: pages, posts, news.
func (t Tool) Foreign() bool { return t.Brings >= Strangers }

// Networked says that results of the tool are what the network answered just now, so that
// addresses in them may be asked for. Servers of others are not the network: they give back
// what a model gave them, and what strangers sent to the user.
func (t Tool) Networked() bool { return t.Brings == Strangers && (t.Service != "" || t.Sends) }

// Described says that a stranger wrote the description of the tool: a server of others. The
// user pinned it when they added the server, and it may still ask the model for things.
func (t Tool) Described() bool { return t.described }

// Untrusted says that results of the tool may repeat what strangers wrote, or hold what is
// private: what is foreign, files, notes and dates, the output of programs, reports.
func (t Tool) Untrusted() bool { return t.Brings >= Private }

// Exacting says that no call may be made of half a sentence: it changes the project, or
// cannot be undone.
func (t Tool) Exacting() bool {
	return t.Writes && (t.Access == Exclusive || t.Effect == Irreversible)
}

// Parameters are the names of the arguments, in the order in which the tool has them.
func (t Tool) Parameters() []string {
	if t.fields == nil {
		return nil
	}
	return t.fields()
}

// Schema is the JSON schema of the arguments, the same bytes every time.
func (t Tool) Schema() (json.RawMessage, error) { return t.schema() }

// Decode turns what a model wrote as arguments into a call. The error tells the
// model what is expected, with an example.
func (t Tool) Decode(raw json.RawMessage) (Call, error) {
	call, err := t.decode(raw)
	if err == nil && call.Places == nil {
		call.Places = func(env Env) []Place { return placesOf(t, env) }
	}
	return call, err
}

// Help lists the parameters, one a line, as errors and `marvin tools` show them.
func (t Tool) Help() (string, error) {
	params, err := t.params()
	if err != nil {
		return "", err
	}
	return params.Help(), nil
}

// Signature lists the parameters as name:type, optional ones in brackets.
func (t Tool) Signature() []string { return t.signature() }

// Called is a tool under another name.
func (t Tool) Called(name string) Tool {
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

// Named has the results of a call say what the tool is called here.
func (c Call) Named(other string) Call {
	note := fmt.Sprintf("[%s is called %s here]", Visible(other), c.Tool.Name)
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

// Decoding is the same tool, whose calls are decoded by another function.
func (t Tool) Decoding(decode func(json.RawMessage) (Call, error)) Tool {
	t.decode = decode
	return t
}

// ErrDeadline is the cause of a context whose call ran out of time.
var ErrDeadline = errors.New("deadline of the call")

// Arguments are those of the call as the tool gets them: under the names of its schema, with
// defaults, whatever a model wrote. A hook that looks at one sees it under one name. It is
// nil for a tool whose calls do not say.
func (c Call) Arguments() json.RawMessage {
	if c.args == nil {
		return nil
	}
	args, err := c.args()
	if err != nil {
		return nil // what was decoded from JSON is JSON again
	}
	return args
}
