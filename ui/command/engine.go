package command

import (
	"context"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/conversation"
)

// Engine carries commands out for one conversation. It belongs to the loop of its
// front end: no method may be called from elsewhere.
type Engine struct {
	Client ui.Client
	Host   Host
	Front  Front
	Now    func() time.Time
	// Voice records so many seconds and returns what was said; nil where that cannot be.
	Voice func(ctx context.Context, seconds int) (string, error)
	// Ready says why Voice cannot record; nil for nothing to say.
	Ready func() error
	// Attach is what a prompt names behind @ in a directory, and is called beside the loop;
	// nil for nothing.
	Attach func(ctx context.Context, text, dir string) Attached
	// Pictures are what a person shows; the zero value has none.
	Pictures Pictures
	// Lines are the commands of the person's own.
	Lines Lines
	// Talk is the conversation as the front end knows it, which applies each event to it.
	Talk *conversation.State
	// Begins is a line that is carried out when the conversation opens; "" for none.
	Begins string
	// Greeting is said when the conversation opens.
	Greeting []string

	shellMode bool
	picking   picking
	providers []Choice
	profiles  []string
	listed    []Conversation                  // as numbered on the screen
	onKept    func(all []messages.Artifact)   // waits for what tools put out
	onTree    func(turns []messages.TreeTurn) // waits for the branches that were asked for
	awaits    string                          // the change that the conversation was asked for and did not confirm yet
	sending   []*attaching                    // prompts whose pictures are being read, and those behind them
	first     firstWords                      // of /init
	work      map[int]*work                   // of the engine's own, by number
	lastWork  int
}

// ShellMode says whether every line is a shell command.
func (e *Engine) ShellMode() bool { return e.shellMode }

// Take carries a line out.
func (e *Engine) Take(line string) {
	command := Parse(line, e.shellMode)
	if meant := slip(line); command.Verb == Prompt && meant != "" {
		e.warn("There is no " + strings.TrimSpace(line) + " command; did you mean " + meant + "? To send it to the model, begin the line with a space.")
		return
	}
	if command.Verb == Prompt {
		send(e, messages.Prompt{Text: command.Text})
		return
	}
	if act := e.act(command.Verb); act != nil {
		act(command.Text)
	}
}

// Begin submits the prompt that the program was started with. Unlike a line that was
// typed it runs no command, as nobody may have read it; only !pro counts.
func (e *Engine) Begin(first string) {
	if command := Parse(first, false); command.Verb == Pro {
		e.pro(command.Text)
		return
	}
	send(e, messages.Prompt{Text: strings.TrimSpace(first), Pictures: e.Pictures.First})
}

// act is what a verb does with its text.
func (e *Engine) act(verb Verb) func(string) {
	switch verb {
	case Pro:
		return e.pro
	case Run:
		return e.run
	case ShellMode:
		return e.toggleShell
	case Shell:
		return e.shell
	case Code:
		return e.toggleCode
	case Voice:
		return e.voice
	case Blender:
		return e.blender
	case Help:
		return e.help
	case Model:
		return e.model
	case Provider:
		return e.provider
	case Thinking:
		return e.thinking
	case Profile:
		return e.profile
	case Preferences:
		return e.preferences
	case Saved:
		return e.saved
	case Compact:
		return func(focus string) { e.ask("compact", messages.Compact{Focus: focus}) }
	case Clear:
		return func(string) { e.ask("clear", messages.Clear{}) }
	case Undo:
		return func(text string) { e.undo(text, false) }
	case Redo:
		return func(text string) { e.undo(text, true) }
	case Usage:
		return e.usage
	case Tools:
		return e.tools
	case Jobs:
		return e.jobs
	case Background:
		return func(string) { e.ask("go on in the background", messages.Background{}) }
	case Artifacts:
		return func(named string) { artifacts(e, named) }
	case Copy:
		return e.copy
	case Export:
		return e.export
	case Rename:
		return e.rename
	case Sessions:
		return e.sessions
	case Resume:
		return e.resume
	case Fork:
		return e.fork
	case Tree:
		return e.tree
	case Branch:
		return e.branch
	case Label:
		return e.label
	case Retry:
		return e.retry
	case Rewind:
		return e.rewind
	case Aside:
		return e.aside
	case Handoff:
		return e.handoff
	case Keys:
		return func(string) { e.say(e.Front.Keys()) }
	case Servers:
		return e.servers
	case Problems:
		return func(named string) { problems(e, named) }
	case Languages:
		return e.languages
	case Approve:
		return e.approve
	case Plan:
		return e.plan
	case Init:
		return e.init
	case Sent:
		return func(string) { e.ask("look at what was sent", messages.ListSent{}) }
	case ContextOf:
		return func(string) { e.ask("look at the window", messages.ShowContext{}) }
	case Permissions:
		return e.permissions
	case Hooks:
		return e.hooks
	case Themes:
		return func(name string) { themes{e}.take(name) }
	case Settings:
		return func(text string) { settings{e}.take(text) }
	case Doctor:
		return e.doctor
	case Directory:
		return e.changeDirectory
	case Leave:
		return func(string) { e.Front.Leave() }
	case Unknown:
		return e.written
	}
	return nil
}

// ask wants a change of the conversation, which says when it is done.
func (e *Engine) ask(what string, op messages.Op) {
	e.awaits = what
	e.Client.Send(op)
}

func (e *Engine) say(text string)  { e.Front.Say(messages.Info, text) }
func (e *Engine) warn(text string) { e.Front.Say(messages.Warning, text) }
func (e *Engine) fail(err error)   { e.Front.Say(messages.Problem, err.Error()) }

// pro asks Copilot for one answer.
func (e *Engine) pro(text string) {
	if text == "" {
		e.warn("Usage: !pro PROMPT asks Copilot for one answer.")
		return
	}
	send(e, messages.Prompt{Text: text, Provider: "copilot"})
}

func (e *Engine) toggleCode(string) {
	e.ask("switch coding mode", messages.SetMode{Coding: !e.Talk.Coding})
}

// blender looks, whatever stands behind it: that must not reach a shell.
func (e *Engine) blender(string) {
	e.beside("ask Blender", func(ctx context.Context) func() { return e.told(e.Host.Blender(ctx)) })
}

func (e *Engine) tools(word string) {
	e.beside("list the tools", func(context.Context) func() {
		table := e.Host.Tools(word)
		return func() { e.say(table) }
	})
}

func (e *Engine) plan(string) {
	plan := e.Talk.Plan
	if len(plan.Steps) == 0 {
		e.say("There is no plan. The model makes one for work of several steps; ask for it in words.")
		return
	}
	e.say("Plan, " + plan.Short() + "\n" + plan.String())
}

func (e *Engine) doctor(string) {
	e.beside("look at the configuration", func(ctx context.Context) func() {
		report := e.Host.Doctor(ctx)
		return func() { e.say(report) }
	})
}
