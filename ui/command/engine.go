package command

import (
	"context"
	"strings"

	"marvin/messages"
	"marvin/ui/slash"
)

// Engine runs the commands of one conversation. It belongs to the loop of its front end: only that
// loop may call its methods.
type Engine struct {
	Env
	// Voice records speech for a number of seconds and returns its text; nil if that is not
	// possible.
	Voice func(ctx context.Context, seconds int) (string, error)
	// Ready returns the reason why Voice cannot record. If it is nil, this is not checked.
	Ready func() error
	// Attach reads the content that a prompt names with @ in a directory. It is called outside the
	// loop; may be nil.
	Attach func(ctx context.Context, text, dir string) Attached
	// Pictures reads pictures in prompts; the zero value reads none.
	Pictures Pictures
	// Lines are the user's own commands.
	Lines Lines
	// Begins is a line to run when the conversation opens; "" for none.
	Begins string
	// Menu opens the list of all commands; nil if the front end shows only text.
	Menu func()
	// Review shows the conversation's changes on a page; nil if the front end shows only text.
	Review func(messages.Changes)
	// Greeting is shown when the conversation opens.
	Greeting []string
	// Newcomer is set only for the very first start of Marvin, and nil for later ones.
	Newcomer *Newcomer

	shellMode bool
	picking   picking
	numbered  numbered
	waits     waits
	sending   []*attaching // prompts whose pictures are still being read, and the prompts after them
	first     firstWords   // state of /init
	rule      string       // the rule shown last, with its directory
}

// numbered contains the last lists, whose items the user may name by number.
type numbered struct {
	providers []Choice
	profiles  []string
	sessions  []Conversation
	waiting   []Waiting
}

// waits are the continuations of requests to the conversation.
type waits struct {
	kept func(all []messages.Artifact)   // the stored outputs of tools
	tree func(turns []messages.TreeTurn) // the branches

	changes func(messages.Changes) // the changes to files
}

func (e *Engine) models() models       { return models{&e.Env, &e.picking, &e.numbered} }
func (e *Engine) profiles() profiles   { return profiles{&e.Env, &e.numbered} }
func (e *Engine) sessions() sessions   { return sessions{&e.Env, &e.numbered} }
func (e *Engine) branches() branches   { return branches{&e.Env, &e.waits} }
func (e *Engine) artifacts() artifacts { return artifacts{&e.Env, &e.waits} }
func (e *Engine) shell() shell         { return shell{&e.Env, &e.Lines} }

// ShellMode reports whether every line is a shell command.
func (e *Engine) ShellMode() bool { return e.shellMode }

// Take runs a line.
func (e *Engine) Take(line string) {
	command := slash.Parse(line, e.shellMode)
	if meant := slash.Slip(line); command.Verb == slash.Prompt && meant != "" {
		e.warn("There is no " + strings.TrimSpace(line) + " command; did you mean " + meant + "? To send it to the model, begin the line with a space.")
		return
	}
	if command.Verb == slash.Prompt {
		send(e, messages.Say(command.Text))
		return
	}
	if act := e.act(command.Verb); act != nil {
		act(command.Text)
	}
}

// Send submits a prompt that does not come from a typed line. The user's own text in it may name
// pictures and files.
func (e *Engine) Send(prompt messages.Prompt) { send(e, prompt) }

// Begin submits the prompt from the command line. The only command that it runs is /pro, because
// the user may not have read the prompt.
func (e *Engine) Begin(first string) {
	if command := slash.Parse(first, false); command.Verb == slash.Pro {
		e.pro(command.Text)
		return
	}
	prompt := messages.Say(strings.TrimSpace(first))
	prompt.Pictures = e.Pictures.First
	send(e, prompt)
}

// act returns the function that runs a verb with its text.
func (e *Engine) act(verb slash.Verb) func(string) {
	switch verb {
	case slash.Pro:
		return e.pro
	case slash.Run:
		return e.shell().run
	case slash.ShellMode:
		return e.toggleShell
	case slash.Shell:
		return e.shell().open
	case slash.Code:
		return func(when string) { e.code(!e.Talk.Coding || when == always, when) }
	case slash.Chat:
		return func(when string) { e.code(false, when) }
	case slash.Voice:
		return e.voice
	case slash.Blender:
		return reports{&e.Env}.blender
	case slash.Help:
		return e.help
	case slash.Model:
		return e.models().model
	case slash.Provider:
		return e.models().provider
	case slash.Login:
		return e.models().logIn
	case slash.Thinking:
		return e.models().thinking
	case slash.Profile:
		return e.profiles().take
	case slash.Preferences:
		return e.profiles().preferences
	case slash.Memorise:
		return memory{&e.Env}.remember
	case slash.Schedules:
		return timetable{&e.Env}.take("schedule")
	case slash.Watches:
		return timetable{&e.Env}.take("watch")
	case slash.Today:
		return timetable{&e.Env}.take("today")
	case slash.MemoryOf:
		return memory{&e.Env}.take
	case slash.AddRule:
		return rules{&e.Env, &e.rule}.add
	case slash.Saved:
		return e.profiles().saved
	case slash.Compact:
		return func(focus string) { e.ask("compact", messages.Compact{Focus: focus}) }
	case slash.Clear:
		return func(string) { e.ask("clear", messages.Clear{}) }
	case slash.Undo:
		return func(text string) { e.undo(text, false) }
	case slash.Redo:
		return func(text string) { e.undo(text, true) }
	case slash.Diff:
		return e.diff
	case slash.Usage:
		return reports{&e.Env}.usage
	case slash.Tools:
		return reports{&e.Env}.tools
	case slash.Jobs:
		return jobs{&e.Env}.take
	case slash.Background:
		return func(string) { e.Background() }
	case slash.Agents:
		return agents{&e.Env}.take
	case slash.Artifacts:
		return e.artifacts().take
	case slash.Copy:
		return e.copy
	case slash.Export:
		return e.export
	case slash.Rename:
		return e.sessions().rename
	case slash.Sessions:
		return e.sessions().take
	case slash.Resume:
		return e.sessions().resume
	case slash.Fork:
		return e.sessions().fork
	case slash.Tree:
		return e.branches().tree
	case slash.Branch:
		return e.branches().branch
	case slash.Label:
		return e.branches().label
	case slash.Retry:
		return e.branches().retry
	case slash.Rewind:
		return e.branches().rewind
	case slash.Aside:
		return e.branches().aside
	case slash.Handoff:
		return e.branches().handoff
	case slash.Keys:
		return func(string) { e.say(e.Front.Keys()) }
	case slash.Servers:
		return reports{&e.Env}.servers
	case slash.Problems:
		return func(named string) { problems(e, named) }
	case slash.Languages:
		return reports{&e.Env}.languages
	case slash.Approve:
		return permissions{&e.Env}.approve
	case slash.Plan:
		return e.plan
	case slash.Thoughts:
		return reports{&e.Env}.thoughts
	case slash.Init:
		return survey{&e.Env, &e.first}.take
	case slash.Sent:
		return func(string) { e.ask("look at what was sent", messages.ListSent{}) }
	case slash.ContextOf:
		return func(string) { e.ask("look at the window", messages.ShowContext{}) }
	case slash.Permissions:
		return permissions{&e.Env}.take
	case slash.Hooks:
		return reports{&e.Env}.hooks
	case slash.Themes:
		return themes{&e.Env}.take
	case slash.Settings:
		return settings{&e.Env}.take
	case slash.Doctor:
		return reports{&e.Env}.doctor
	case slash.Directory:
		return e.changeDirectory
	case slash.Leave:
		return func(string) { e.Front.Leave() }
	case slash.Inbox:
		return inbox{&e.Env, &e.numbered}.take
	case slash.Detach:
		return func(string) { e.detach() }
	case slash.Unknown:
		return files{&e.Env, e.act}.ask
	case slash.Skills:
		return files{&e.Env, e.act}.skills
	}
	return nil
}

func (e *Engine) toggleShell(string) {
	e.shellMode = !e.shellMode
	if e.shellMode {
		e.say("Shell mode ON 🐚: every line is a shell command. exit or /sh ends it.")
		return
	}
	e.say("Shell mode OFF")
}

// NextApproval switches to the next approval mode. It is called when the user presses the approval
// key.
func (e *Engine) NextApproval() { permissions{&e.Env}.next() }

// NextModel switches to the next model in the cycle of the model key.
func NextModel(e *Engine) { e.models().next() }

// NextEffort switches to the current model's next effort. After the last effort it switches to
// auto.
func NextEffort(e *Engine) { e.models().nextEffort() }

// pro asks Copilot for one answer.
func (e *Engine) pro(text string) {
	if text == "" {
		e.warn("Usage: /pro PROMPT asks Copilot for one answer.")
		return
	}
	prompt := messages.Say(text)
	prompt.Provider = "copilot"
	send(e, prompt)
}

// always is the argument that stores a choice for later starts in this directory.
const always = "always"

// code switches coding mode and, with always, stores the choice for this directory.
func (e *Engine) code(on bool, when string) {
	if when != "" && when != always {
		e.warn("The only argument is always: /code always and /chat always apply at each start here.")
		return
	}
	e.ask("switch coding mode", messages.SetMode{Coding: on})
	if when == "" {
		return
	}
	e.beside("keep the choice", func(context.Context) func() {
		place, err := e.Host.KeepFiles(on)
		return func() {
			switch {
			case err != nil:
				e.warn("The choice applies now, but Marvin could not save it for the next start: " + err.Error())
			case place != "" && on:
				e.say("Marvin works on the files of " + place + " from the start from now on; /chat always ends that.")
			case place != "":
				e.say("Marvin only talks in " + place + " from now on; /code always ends that.")
			}
		}
	})
}

// help opens the list of all commands if the front end has one, or describes one command.
func (e *Engine) help(name string) {
	if name == "" && e.Menu != nil {
		e.Menu()
		return
	}
	files{&e.Env, e.act}.help(name)
}

func (e *Engine) plan(string) {
	plan := e.Talk.Plan
	if len(plan.Steps) == 0 {
		e.say("There is no plan. The model makes a plan for work with several steps; you can ask for one.")
		return
	}
	e.say("Plan, " + plan.Short() + "\n" + plan.String())
}
