package command

import (
	"context"
	"strings"

	"marvin/messages"
	"marvin/ui/slash"
)

// Engine runs the commands of one conversation. Only the front end's loop may call its methods.
type Engine struct {
	Env
	// Voice records speech for the given number of seconds and returns the text. A nil Voice means
	// that voice input is not available.
	Voice func(ctx context.Context, seconds int) (string, error)
	// CheckVoice returns an error if Voice cannot record. If CheckVoice is nil, Marvin assumes that
	// Voice can record.
	CheckVoice func() error
	// Attach looks up the names that follow "@" in a prompt. Paths are relative to dir. Attach is
	// called outside the loop; a nil Attach attaches nothing.
	Attach func(ctx context.Context, text, dir string) Attached
	// Pictures loads the pictures that prompts mention. The zero value loads none.
	Pictures Pictures
	// Lines contains the user's shell commands that the next prompt reports to the model.
	Lines Lines
	// FirstLine is a line to run when the conversation opens; "" for none.
	FirstLine string
	// Menu opens the list of all commands; nil if the front end shows only text.
	Menu func()
	// Review shows the conversation's changes on a page; nil if the front end shows only text.
	Review func(messages.Changes)
	// Greeting is shown when the conversation opens.
	Greeting []string
	// Newcomer is set the first time that Marvin runs, and nil afterwards.
	Newcomer *FirstStart

	shellMode bool
	picking   choiceState
	numbered  numbered
	waits     pendingAnswers
	sending   []*pendingPrompt // unsent prompts; the first one waits for its pictures or files
	first     firstWords       // state of /init
	rule      string           // unconfirmed rule: its directory and its text
}

// numbered contains the most recent list of each kind. The user can select list items by number.
type numbered struct {
	providers []Choice
	profiles  []string
	sessions  []Conversation
	waiting   []OpenQuestion
}

// pendingAnswers contains the functions to call when the conversation answers a request.
type pendingAnswers struct {
	kept func(all []messages.Artifact)   // receives the stored tool outputs
	tree func(turns []messages.TreeTurn) // the branches

	changes func(messages.Changes) // receives the changes to files
}

// answer clears *waits, and then passes the conversation's answer to the function that *waits
// contained. If *waits was nil, answer does nothing.
func answer[T any](waits *func(T), answered T) {
	then := *waits
	if *waits = nil; then != nil {
		then(answered)
	}
}

func (e *Engine) models() models       { return models{&e.Env, &e.picking, &e.numbered} }
func (e *Engine) profiles() profiles   { return profiles{&e.Env, &e.numbered} }
func (e *Engine) sessions() sessions   { return sessions{&e.Env, &e.numbered} }
func (e *Engine) branches() branches   { return branches{&e.Env, &e.waits} }
func (e *Engine) artifacts() artifacts { return artifacts{&e.Env, &e.waits} }
func (e *Engine) shell() shell         { return shell{&e.Env, &e.Lines} }

// ShellMode reports whether shell mode is on.
func (e *Engine) ShellMode() bool { return e.shellMode }

// Take handles an input line, which is a slash command, a shell command or a prompt.
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

// Send submits a prompt. Pictures and files are attached only if the user typed their names.
func (e *Engine) Send(prompt messages.Prompt) { send(e, prompt) }

// Begin submits the prompt from the command line. The only slash command that it runs is /pro,
// because the user might not have read the prompt.
func (e *Engine) Begin(first string) {
	if command := slash.Parse(first, false); command.Verb == slash.Pro {
		e.pro(command.Text)
		return
	}
	prompt := messages.Say(strings.TrimSpace(first))
	prompt.Pictures = e.Pictures.First
	send(e, prompt)
}

// act returns the function that runs the command with the given verb, or nil if there is no such
// command. The function takes the text after the command.
func (e *Engine) act(verb slash.Verb) func(string) {
	return map[slash.Verb]func(string){
		slash.Pro:         e.pro,
		slash.Run:         e.shell().run,
		slash.ShellMode:   e.toggleShell,
		slash.Shell:       e.shell().open,
		slash.Code:        func(when string) { e.setCoding(!e.Talk.Coding || when == always, when) },
		slash.Chat:        func(when string) { e.setCoding(false, when) },
		slash.Voice:       e.voice,
		slash.Blender:     reports{&e.Env}.blender,
		slash.Help:        e.help,
		slash.Model:       e.models().model,
		slash.Provider:    e.models().provider,
		slash.Login:       e.models().logIn,
		slash.Thinking:    e.models().setEffort,
		slash.Profile:     e.profiles().take,
		slash.Preferences: e.profiles().preferences,
		slash.Memorise:    memory{&e.Env}.remember,
		slash.Schedules:   timetable{&e.Env}.take("schedule"),
		slash.Watches:     timetable{&e.Env}.take("watch"),
		slash.Today:       timetable{&e.Env}.take("today"),
		slash.MemoryOf:    memory{&e.Env}.take,
		slash.AddRule:     rules{&e.Env, &e.rule}.proposeOrAdd,
		slash.Saved:       e.profiles().saved,
		slash.Compact:     func(focus string) { e.ask("compact", messages.Compact{Focus: focus}) },
		slash.Clear:       func(string) { e.ask("clear", messages.Clear{}) },
		slash.Undo:        func(text string) { e.undo(text, false) },
		slash.Redo:        func(text string) { e.undo(text, true) },
		slash.Diff:        e.diff,
		slash.Usage:       reports{&e.Env}.usage,
		slash.Tools:       reports{&e.Env}.tools,
		slash.Jobs:        jobs{&e.Env}.take,
		slash.Background:  func(string) { e.Background() },
		slash.Agents:      agents{&e.Env}.take,
		slash.Artifacts:   e.artifacts().take,
		slash.Copy:        e.copy,
		slash.Export:      e.export,
		slash.Rename:      e.sessions().rename,
		slash.Sessions:    e.sessions().take,
		slash.Resume:      e.sessions().resume,
		slash.Fork:        e.sessions().fork,
		slash.Tree:        e.branches().tree,
		slash.Branch:      e.branches().branch,
		slash.Label:       e.branches().label,
		slash.Retry:       e.branches().retry,
		slash.Rewind:      e.branches().rewind,
		slash.Aside:       e.branches().askAside,
		slash.Handoff:     e.branches().handoff,
		slash.Keys:        func(string) { e.say(e.Front.Keys()) },
		slash.Servers:     reports{&e.Env}.servers,
		slash.Problems:    func(named string) { problems(e, named) },
		slash.Languages:   reports{&e.Env}.languages,
		slash.Approve:     permissions{&e.Env}.approve,
		slash.Plan:        e.plan,
		slash.Thoughts:    reports{&e.Env}.thoughts,
		slash.Init:        survey{&e.Env, &e.first}.take,
		slash.Sent:        func(string) { e.ask("look at what was sent", messages.ListSent{}) },
		slash.ContextOf:   func(string) { e.ask("look at the window", messages.ShowContext{}) },
		slash.Permissions: permissions{&e.Env}.take,
		slash.Hooks:       reports{&e.Env}.hooks,
		slash.Themes:      themes{&e.Env}.take,
		slash.Settings:    settings{&e.Env}.take,
		slash.Doctor:      reports{&e.Env}.doctor,
		slash.Directory:   e.changeDirectory,
		slash.Leave:       func(string) { e.Front.Leave() },
		slash.Inbox:       inbox{&e.Env, &e.numbered}.take,
		slash.Detach:      func(string) { e.detach() },
		slash.Unknown:     fileCommands{&e.Env, e.act}.ask,
		slash.Skills:      fileCommands{&e.Env, e.act}.skills,
	}[verb]
}

func (e *Engine) toggleShell(string) {
	e.shellMode = !e.shellMode
	if e.shellMode {
		e.say("Shell mode ON 🐚: every line is a shell command. Type exit or /sh to end it.")
		return
	}
	e.say("Shell mode OFF")
}

// NextApproval switches to the next approval mode. It is called when the user presses the approval
// key.
func (e *Engine) NextApproval() { permissions{&e.Env}.next() }

// NextModel switches to the next model in [Host.Cycle].
func NextModel(e *Engine) { e.models().next() }

// NextEffort switches to the current model's next effort. The last effort is followed by auto.
func NextEffort(e *Engine) { e.models().nextEffort() }

func (e *Engine) pro(text string) {
	if text == "" {
		e.warn("Usage: /pro PROMPT asks Copilot for one answer.")
		return
	}
	prompt := messages.Say(text)
	prompt.Provider = "copilot"
	send(e, prompt)
}

// The argument "always" makes a choice permanent for this directory.
const always = "always"

// setCoding turns coding mode on or off. The argument "always" also stores the mode for later
// starts in this directory.
func (e *Engine) setCoding(on bool, when string) {
	if when != "" && when != always {
		e.warn("Usage: /code or /chat switches now; /code always or /chat always also switches at every later start in this directory.")
		return
	}
	e.ask("switch coding mode", messages.SetMode{Coding: on})
	if when == "" {
		return
	}
	e.runOutside("keep the choice", func(context.Context) func() {
		place, err := e.Host.KeepFiles(on)
		return func() {
			switch {
			case err != nil:
				e.warn("The choice applies now, but Marvin could not save it for the next start: " + err.Error())
			case place != "" && on:
				e.say("From now on Marvin starts in " + place + " with file and shell tools; to undo this, type /chat always.")
			case place != "":
				e.say("From now on Marvin starts in " + place + " without file and shell tools; to undo this, type /code always.")
			}
		}
	})
}

// help describes the named command. Without a name, help shows all commands, preferably in the
// menu.
func (e *Engine) help(name string) {
	if name == "" && e.Menu != nil {
		e.Menu()
		return
	}
	fileCommands{&e.Env, e.act}.help(name)
}

func (e *Engine) plan(string) {
	plan := e.Talk.Plan
	if len(plan.Steps) == 0 {
		e.say("There is no plan. The model makes a plan for work with several steps; you can ask for one.")
		return
	}
	e.say("Plan, " + plan.Short() + "\n" + plan.String())
}
