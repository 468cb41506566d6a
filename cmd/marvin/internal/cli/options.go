package cli

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/jessevdk/go-flags"

	"marvin/actors"
	"marvin/persistence/settings"
	"marvin/tools"
)

// Options are the command-line flags. Help and completion are generated from the field tags.
type Options struct {
	Prompt         *string       `long:"prompt" short:"p" value-name:"TEXT" description:"the prompt; - reads standard input\nIt is the first prompt; with --non-interactive, it is the only one."`
	PromptFile     string        `long:"prompt-file" value-name:"PATH" description:"read the prompt from a file; - means standard input"`
	NonInteractive bool          `long:"non-interactive" short:"n" description:"answer one prompt on standard output, and exit\nCoding mode is on, --approve is auto, and there are at most 50 rounds of tool calls."`
	WorkingDir     string        `long:"working-dir" value-name:"PATH" description:"directory for file tools; turns coding mode on"`
	Chat           bool          `long:"chat" description:"no file or shell tools; /code switches them on"`
	Provider       string        `long:"provider" value-name:"NAME" description:"the model provider, such as gemini or ollama\nTo list all providers, run marvin models."`
	Model          string        `long:"model" value-name:"NAME" description:"the model to ask, instead of the provider's default"`
	Effort         string        `long:"effort" value-name:"LEVEL" description:"how long the model thinks: off, low, high, max …\nPossible levels: off, minimal, low, medium, high, xhigh and max. Without it the model decides."`
	Image          []string      `long:"image" value-name:"FILE" description:"send a picture with the prompt; repeatable"`
	Output         string        `long:"output" value-name:"FORM" choice:"text" choice:"json" choice:"jsonl" default:"text" description:"format of the answer (only with -n)\ntext: the answer. json: one JSON object at the end. jsonl: one JSON line per event."`
	MaxCost        float64       `long:"max-cost" value-name:"DOLLARS" description:"stop when the conversation has cost this much"`
	MaxRounds      int           `long:"max-rounds" value-name:"N" description:"limit on tool rounds; 50 in coding mode, else 10"`
	MaxTime        time.Duration `long:"max-time" value-name:"DURATION" description:"stop an answer after this time, such as 10m"`
	Sandbox        string        `long:"sandbox" value-name:"MODE" choice:"off" choice:"workspace" choice:"strict" description:"limit what commands can do\noff: no limits. workspace: they write only in the working directory. strict: they also have no network. By default, commands run with \"workspace\" unless you approved them."`
	Approve        string        `long:"approve" value-name:"MODE" choice:"plan" choice:"ask" choice:"edits" choice:"auto" choice:"all" description:"what runs without asking\nplan: only reading; the model presents a plan. ask: only reading. edits: also file edits. auto: everything, with commands in the sandbox. all: everything, even without a sandbox. The default is \"edits\" in a conversation, and \"auto\" otherwise."`
	Plain          bool          `long:"plain" description:"print lines instead of using the full screen"`
	Curses         bool          `long:"curses" description:"use the full screen if possible"`
	Ntfy           string        `long:"ntfy" value-name:"TOPIC" description:"send the outcome to this ntfy.sh topic\nIn a conversation, Marvin shows the messages sent to the topic."`
	systemTexts
	StorageOptions
	DesignFirst bool `long:"design-first" hidden:"yes"`
	Version     bool `long:"version" short:"v" description:"print the version and exit"`

	Words    []string              // the arguments that are not flags; together, they are the prompt
	Choosing bool                  // whether the full screen begins with a list of conversations
	Left     SessionState          `no-flag:"yes"` // the state of the resumed conversation
	Editor   EditorInput           `no-flag:"yes"`
	May      func(tools.Tool) bool // reports whether a scheduled run is allowed to use a tool; nil allows all tools
	// KeepsChoice is true for a conversation at a terminal. By default, such a conversation uses
	// the model that the user last chose for the project.
	KeepsChoice bool
}

// CheckLimits returns an error for contradictory flags and invalid limits. It refuses an explicit
// 0, which scripts pass when a budget is used up.
func (o Options) CheckLimits(parser *flags.Parser) error {
	zero := func(name string, is bool) bool {
		option := parser.FindOptionByLongName(name)
		return is && option != nil && option.IsSet()
	}
	switch {
	case o.Chat && o.NonInteractive:
		return errors.New("--chat works only in a conversation; -n always has file and shell tools. To keep them from writing, set MARVIN_READONLY=1")
	case o.Chat && o.WorkingDir != "":
		return errors.New("--chat and --working-dir contradict each other, because --working-dir turns on file and shell tools; give one of the two options")
	case zero("max-cost", o.MaxCost == 0):
		return errors.New("--max-cost 0 allows no request; give an amount in US dollars such as 2.50, or leave it out for no limit")
	case zero("max-rounds", o.MaxRounds == 0):
		return errors.New("--max-rounds 0 allows no tool calls; give a number such as 20, or leave it out for the usual limit")
	case zero("max-time", o.MaxTime == 0):
		return errors.New("--max-time 0 allows no time; give a duration such as 90s or 10m, or leave it out for no limit")
	case math.IsNaN(o.MaxCost) || math.IsInf(o.MaxCost, 0) || o.MaxCost < 0:
		return fmt.Errorf("--max-cost %g is not a limit; give an amount in US dollars such as 2.50, or leave it out", o.MaxCost)
	case o.MaxRounds < 0:
		return fmt.Errorf("--max-rounds %d is not a limit; give a number such as 20, or leave it out", o.MaxRounds)
	case o.MaxTime < 0:
		return fmt.Errorf("--max-time %s is not a limit; give a duration such as 90s or 10m, or leave it out", o.MaxTime)
	}
	return o.StorageOptions.check()
}

// EditorInput holds the settings that an editor passes for a session.
type EditorInput struct {
	Servers map[string]settings.Server
	Rules   []string // rules that allow access to the editor's additional directories
	Words   string   // text that tells the model about the additional directories
	Opened  []string // additional directories; the sandbox can confine a command to one of them
}

// SessionState is the state of the resumed conversation, except for parts that the command line
// overrides.
type SessionState struct {
	actors.LeftState
	Start   string // the directory of the conversation; "" means the directory in which Marvin was started
	Sandbox string // the root of the sandbox; "" means the working directory of the conversation
}
