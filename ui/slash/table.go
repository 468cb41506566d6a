package slash

import (
	"slices"
	"strings"
)

// Verb is the action that a line requests.
type Verb uint8

// The verbs. In their comments, Text means [Command.Text].
const (
	Nothing     Verb = iota // a blank line
	Prompt                  // send Text to the model
	Pro                     // send Text to Copilot, once
	Run                     // run Text in a shell
	ShellMode               // switch shell mode on or off
	Shell                   // open the user's own shell on the terminal
	Code                    // switch coding mode on or off; with "always", keep it on in this directory
	Chat                    // leave coding mode; with "always", keep it off in this directory
	Voice                   // record a spoken prompt; Text is the number of seconds
	Blender                 // check whether Blender answers
	Help                    // list all commands, or explain the one that Text names
	Model                   // list the models, or switch to the one that Text names
	Provider                // list the providers, or switch to another provider
	Login                   // log in to a provider, or enter the provider's key
	Thinking                // show or set how long the model thinks
	Profile                 // list the profiles, or switch to the one that Text names
	Preferences             // edit the preferences
	Saved                   // list the saved places
	Memorise                // remember Text
	Schedules               // list or edit the schedules
	Watches                 // list or edit the watches
	Today                   // show today's agenda
	MemoryOf                // list or edit the facts
	AddRule                 // add Text to the project's AGENTS.md
	Compact                 // compact the running conversation
	Clear                   // begin a new conversation
	Usage                   // show the usage of this session and of all sessions
	Tools                   // list all tools, or those that match Text
	Jobs                    // list the jobs, or show or cancel one
	Agents                  // list the running sub-agents, or show or stop one
	Artifacts               // list the stored tool outputs, or open one by its number
	Background              // move the running command to the background
	Copy                    // copy the last answer, or one of its code blocks by number
	Export                  // write the transcript to the file whose name is in Text
	Rename                  // rename the conversation to Text
	Sessions                // list or search the stored sessions
	Resume                  // continue the session named by Text
	Fork                    // continue with a copy of a session
	Tree                    // list the branches
	Branch                  // continue after the turn named by Text
	Label                   // label the last turn with Text
	Retry                   // repeat the last prompt, or an earlier prompt
	Rewind                  // go back to an earlier prompt and change it
	Aside                   // send Text as a side question, outside the conversation
	Handoff                 // summarize the conversation, then begin another from the summary
	Diff                    // show the file changes made in the conversation
	Undo                    // undo the file changes of a turn; Text is "[TURN] [FILE]"
	Redo                    // redo undone changes
	Plan                    // show the model's plan
	Thoughts                // show the model's thinking in the last turn
	Init                    // show or test a draft of AGENTS.md, or create the file
	Sent                    // show the data sent from this machine
	ContextOf               // show the content of the context window
	Permissions             // show or revoke permissions
	Hooks                   // list the hooks
	Keys                    // list the keys
	Servers                 // list or manage the MCP servers
	Problems                // list the code problems, or open the one whose number is in Text
	Languages               // list or manage the language servers
	Approve                 // show or change the approval mode
	Themes                  // choose a color theme
	Settings                // change settings
	Doctor                  // check the configuration, connections and programs
	Directory               // show or change the working directory
	Skills                  // list the commands and skills that are defined in files
	Leave                   // end the conversation
	Detach                  // leave while the conversation continues to run
	Inbox                   // list the open questions of all conversations, or answer one
	Unknown                 // Text is not a command
)

// Group is a group of commands in /help.
type Group string

// The groups, in the order of /help.
const (
	groupTalking       Group = "talk"
	groupModels        Group = "model"
	groupFiles         Group = "files and undo"
	groupConversations Group = "conversations"
	groupTools         Group = "tools and servers"
	groupSettings      Group = "settings"
)

// Entry describes a command to users.
type Entry struct {
	Group     Group
	Verb      Verb
	Name      string   // such as "/help" or "!COMMAND"
	Aliases   []string // other names
	Arguments string   // such as "QUESTION" or "[N]"; brackets mark optional arguments
	Help      string   // one line
	Examples  []string // complete lines
}

// Table lists all commands in the order of /help, group by group.
var Table = []Entry{
	{groupTalking, Help, "/help", []string{"/?"}, "[COMMAND]", "list the commands, or explain a command", []string{"/help", "/help model"}},
	{groupTalking, Aside, "/btw", nil, "QUESTION", "ask a side question; afterward, the model forgets the question and the answer", []string{"/btw what does idempotent mean?"}},
	{groupTalking, Retry, "/retry", nil, "[N]", "send the last prompt again, or the Nth prompt from the end; the earlier answer becomes a branch", []string{"/retry", "/retry 2"}},
	{groupTalking, Copy, "/copy", nil, "[N]", "copy the last answer, or its code block number N", []string{"/copy", "/copy 1"}},
	{groupTalking, Plan, "/plan", nil, "", "show the model's plan", []string{"/plan"}},
	{groupTalking, Thoughts, "/thoughts", nil, "", "show what the model thought in the last turn", []string{"/thoughts"}},
	{groupTalking, Compact, "/compact", nil, "[FOCUS]", "summarize the older part of this conversation now; FOCUS names the subject to keep", []string{"/compact", "/compact the failing test"}},
	{groupTalking, Memorise, "/remember", nil, "TEXT", "remember a fact for later conversations", []string{"/remember my dog is called Rex"}},
	{groupTalking, Voice, "/voice", nil, "[SECONDS]", "speak a prompt", []string{"/voice", "/voice 10"}},
	{groupTalking, Run, "!COMMAND", nil, "", "run a shell command yourself; Marvin saves the command and its output in the history", []string{"!git status", "!make test"}},
	{groupTalking, ShellMode, "/sh", nil, "[COMMAND]", "switch shell mode on or off; in shell mode, Marvin runs every line as a shell command", []string{"/sh", "/sh ls -la"}},
	{groupTalking, Shell, "/shell", nil, "", "open your own shell in this terminal; type exit to return to Marvin", []string{"/shell"}},
	{groupTalking, Leave, "/quit", []string{"/exit"}, "", "leave Marvin; Ctrl-D on an empty line does the same", []string{"/quit"}},
	{groupTalking, Detach, "/detach", nil, "", "close this window but keep the conversation running; for a new window, run marvin attach", []string{"/detach"}},
	{groupModels, Model, "/model", nil, "[NUMBER|NAME]", "choose a model from a list with prices and abilities; /model default removes your choice", []string{"/model", "/model 2", "/model llama-3.3-70b-versatile", "/model default"}},
	{groupModels, Provider, "/provider", nil, "[NUMBER|NAME]", "list the providers, or switch to another provider", []string{"/provider", "/provider groq"}},
	{groupModels, Login, "/login", nil, "[PROVIDER]", "enter a provider's API key or log in, then switch to that provider", []string{"/login gemini", "/login chatgpt"}},
	{groupModels, Thinking, "/thinking", []string{"/effort"}, "[LEVEL]", "set how long the model thinks before it answers", []string{"/thinking high", "/thinking auto"}},
	{groupModels, Pro, "/pro", nil, "PROMPT", "send this one prompt to Copilot", []string{"/pro why is the sky blue?"}},
	{groupModels, Usage, "/usage", nil, "", "show the cost of this session and of all sessions", []string{"/usage"}},
	{groupModels, ContextOf, "/context", nil, "", "list what is in the context window (files, skills, tools and results, with sizes) and what Marvin left out", []string{"/context"}},
	{groupModels, Sent, "/sent", nil, "", "list the data that left this machine, by turn, host and file", []string{"/sent"}},
	{groupFiles, Directory, "/cd", nil, "[DIR]", "show or change the working directory of this conversation", []string{"/cd", "/cd ~/project", "/cd .."}},
	{groupFiles, Code, "/code", nil, "[always]", "switch coding mode (tools for files and commands, longer turns) on or off; with the argument \"always\", switch it on now and at every later start in this directory", []string{"/code", "/code always"}},
	{groupFiles, Chat, "/chat", nil, "[always]", "switch coding mode off; with the argument \"always\", switch it off now and at every later start in this directory", []string{"/chat", "/chat always"}},
	{groupFiles, Diff, "/diff", nil, "", "show what this conversation changed, file by file; in full-screen mode, you can undo one of the changes, or send it to the model with a remark", []string{"/diff"}},
	{groupFiles, Undo, "/undo", nil, "[TURN] [FILE]", "undo what tools changed in the last turn that made changes; TURN selects another turn, and FILE limits the undo to one file", []string{"/undo", "/undo t3", "/undo main.go"}},
	{groupFiles, Redo, "/redo", nil, "[TURN] [FILE]", "apply the undone changes again", []string{"/redo"}},
	{groupFiles, Problems, "/problems", nil, "[NUMBER]", "list the problems that language servers report in changed files, or open a problem at its line", []string{"/problems", "/problems 2"}},
	{groupFiles, Init, "/init", nil, "[test|write]", "show a draft of AGENTS.md for this repository; /init test runs the commands in the draft, and /init write creates the file", []string{"/init", "/init test", "/init write"}},
	{groupFiles, AddRule, "/rule", nil, "TEXT", "add TEXT as a line to the project's AGENTS.md after you approve the change; #TEXT does the same", []string{"/rule run make test before a commit", "#run make test before a commit"}},
	{groupConversations, Clear, "/clear", []string{"/new"}, "", "start a new conversation; Marvin keeps the history file", []string{"/clear"}},
	{groupConversations, Sessions, "/sessions", nil, "[WORDS]", "list the saved conversations, or only the conversations that contain WORDS", []string{"/sessions", "/sessions parser"}},
	{groupConversations, Inbox, "/inbox", nil, "[NUMBER ANSWER]", "list the open questions of all running conversations, or answer a question", []string{"/inbox", "/inbox 1 yes", "/inbox 2 no make a backup first"}},
	{groupConversations, Resume, "/resume", nil, "[NUMBER|ID|WORDS]", "choose another conversation from a list and continue it, or continue the conversation that you name", []string{"/resume", "/resume parser"}},
	{groupConversations, Fork, "/fork", nil, "[ID|WORDS]", "continue with a copy of this conversation, or of another conversation", []string{"/fork", "/fork parser"}},
	{groupConversations, Rewind, "/rewind", nil, "[N]", "go back to an earlier prompt and change it; the later messages become a branch", []string{"/rewind", "/rewind 2"}},
	{groupConversations, Tree, "/tree", nil, "", "show the branches of this conversation, and choose the turn after which you want to continue", []string{"/tree"}},
	{groupConversations, Branch, "/branch", nil, "[NUMBER|LABEL]", "continue this conversation from another turn", []string{"/branch 3", "/branch before the tests"}},
	{groupConversations, Label, "/label", nil, "TEXT", "label the last turn, for /branch and /tree", []string{"/label before the tests"}},
	{groupConversations, Handoff, "/handoff", nil, "[FOCUS]", "start a new conversation with a summary of this conversation", []string{"/handoff", "/handoff the failing test"}},
	{groupConversations, Rename, "/rename", nil, "TITLE", "name this conversation", []string{"/rename The release of May"}},
	{groupConversations, Export, "/export", nil, "FILE.md|FILE.json|FILE.html", "write this conversation to a new file", []string{"/export talk.md", "/export talk.json", "/export talk.html"}},
	{groupTools, Tools, "/tools", nil, "[WORD]", "list all tools, or only the tools that match WORD", []string{"/tools", "/tools git"}},
	{groupTools, Skills, "/skills", nil, "", "list the commands and skills that are defined in files", []string{"/skills"}},
	{groupTools, Jobs, "/jobs", nil, "[ID|cancel ID]", "list the running jobs, show the output of a background job, or cancel a job", []string{"/jobs", "/jobs cmd-k3f9x", "/jobs cancel cmd-k3f9x"}},
	{groupTools, Background, "/background", []string{"/bg"}, "", "move the running command to the background and continue the turn", []string{"/background"}},
	{groupTools, Agents, "/agents", nil, "[N|stop N]", "list the running sub-agents, show what sub-agent N has done so far, or stop only sub-agent N", []string{"/agents", "/agents 2", "/agents stop 2"}},
	{groupTools, Artifacts, "/artifacts", []string{"/artifact"}, "[NUMBER]", "list the long outputs that Marvin stored in full, or open an output", []string{"/artifacts", "/artifacts 3"}},
	{groupTools, Servers, "/mcp", nil, "[tools|log|restart|approve|read|accept NAME]", "list the MCP servers, show a server, restart it, or approve its changes", []string{"/mcp", "/mcp tools files", "/mcp restart files", "/mcp read files file:///tmp/notes.txt"}},
	{groupTools, Languages, "/lsp", nil, "[restart|log NAME]", "list the running language servers, restart a server, or show its log", []string{"/lsp", "/lsp restart gopls", "/lsp log gopls"}},
	{groupTools, Hooks, "/hooks", nil, "", "list your hooks (programs that run at each call, prompt or turn)", []string{"/hooks"}},
	{groupTools, Schedules, "/schedule", nil, "[add|show|pause|resume|history|rm …]", "list, add or change the prompts that run at set times", []string{"/schedule", "/schedule add \"every weekday at 8:00\" \"what is due today\"", "/schedule pause s-3f9a2c"}},
	{groupTools, Watches, "/watch", nil, "[add|show|history|rm …]", "list, add or remove watches; a watch reports when a tool's result changes", []string{"/watch", "/watch add \"weather_forecast place=Uppsala\" --every 2h", "/watch rm w-3f9a2c"}},
	{groupTools, Today, "/today", nil, "", "show your day: calendar, alarms, tickets, schedules, runs, watches and open questions", []string{"/today"}},
	{groupTools, Blender, "/blender", nil, "", "check the connection to Blender", []string{"/blender"}},
	{groupSettings, Approve, "/approve", nil, "[MODE]", "show or change the approval mode (plan, ask, edits, auto or all), which decides what Marvin does without asking you", []string{"/approve", "/approve plan", "/approve edits"}},
	{groupSettings, Permissions, "/permissions", nil, "[revoke N]", "list the calls that need no approval and the calls that never run, or revoke an \"always\" answer", []string{"/permissions", "/permissions revoke 2"}},
	{groupSettings, Settings, "/settings", []string{"/config"}, "[KEY [VALUE]]", "show the settings and the source of each value, or change a setting", []string{"/settings", "/settings notify", "/settings notify off"}},
	{groupSettings, Themes, "/theme", []string{"/themes"}, "[NAME]", "choose the colors with a live preview, or use the theme NAME", []string{"/theme", "/theme nord", "/theme auto"}},
	{groupSettings, Keys, "/keys", nil, "", "list the keys", []string{"/keys"}},
	{groupSettings, Profile, "/profile", []string{"/profiles"}, "[NUMBER|[new] NAME]", "list the profiles, or switch to a profile; /profile new NAME creates a profile", []string{"/profile", "/profile alex", "/profile new alex"}},
	{groupSettings, MemoryOf, "/memory", nil, "[WORDS|add TEXT|edit ID TEXT|forget ID|accept ID|refuse ID]", "list the remembered and proposed facts, or add, correct or forget a fact", []string{"/memory", "/memory dog", "/memory edit m-3f9a2c my dog is called Max", "/memory forget m-3f9a2c"}},
	{groupSettings, Preferences, "/preferences", nil, "", "edit the preferences of the profile", []string{"/preferences"}},
	{groupSettings, Saved, "/saved", nil, "", "list the saved places", []string{"/saved"}},
	{groupSettings, Doctor, "/doctor", nil, "", "show what is configured, what is reachable and what is missing", []string{"/doctor"}},
}

// old contains the old command names that still work, each with its current name. /help omits the
// old names.
var old = [][2]string{
	{"!code", "/code"},
	{"!pro", "/pro"},
	{"!shell", "/sh"},
	{"!sh", "/sh"},
	{"!v", "/voice"},
	{"!voice", "/voice"},
	{"!blender", "/blender"},
	{"profiles", "/profile"},
	{"preferences", "/preferences"},
	{"saved", "/saved"},
	{"usage", "/usage"},
	{"quit", "/quit"},
	{"exit", "/quit"},
}

// foreignCommands maps command names of other assistants to the corresponding commands of Marvin.
// The user's own command files take precedence.
var foreignCommands = [][2]string{
	{"/cost", "/usage"},
	{"/stats", "/usage"},
	{"/status", "/doctor"},
	{"/todos", "/plan"},
	{"/history", "/sessions"},
	{"/models", "/model"},
	{"/commands", "/skills"},
	{"/providers", "/provider"},
	{"/share", "/export"},
	{"/add-dir", "/cd"},
	{"/version", "/doctor"},
}

// hints contains advice about commands that other assistants have and Marvin does not.
var hints = [][2]string{
	{"/review", "Ask for a review in your own words, such as: review my changes. Or write this command into .marvin/commands/review.md."},
	{"/yolo", "/approve auto runs commands in the sandbox without asking; /approve all does so even without a sandbox."},
	{"/vim", "/settings shows the settings for the keyboard."},
}

// Find looks up a command by any of its names, ignoring case.
func Find(name string) (Entry, bool) {
	name = paired(old, name)
	for _, entry := range Table {
		if entry.Verb != Run && (strings.EqualFold(entry.Name, name) || slices.ContainsFunc(entry.Aliases, func(alias string) bool { return strings.EqualFold(alias, name) })) {
			return entry, true
		}
	}
	return Entry{}, false
}

// FindMeant is like [Find], but also accepts names that other assistants use.
func FindMeant(name string) (Entry, bool) { return Find(paired(foreignCommands, name)) }

// paired returns the counterpart of a name, or the name itself if it has no counterpart. It ignores
// case.
func paired(pairs [][2]string, name string) string {
	for _, one := range pairs {
		if strings.EqualFold(one[0], name) {
			return one[1]
		}
	}
	return name
}

// Names returns the names and aliases of all commands except "!COMMAND", in the order of [Table].
func Names() []string {
	var names []string
	for _, entry := range Table {
		if entry.Verb == Run {
			continue
		}
		names = append(append(names, entry.Name), entry.Aliases...)
	}
	return names
}

// ForeignNames returns the names that other assistants use for a command.
func ForeignNames(entry Entry) (names []string) {
	for _, one := range foreignCommands {
		if one[1] == entry.Name {
			names = append(names, one[0])
		}
	}
	return names
}

// WrittenCommand is a command that a user wrote in a file.
type WrittenCommand struct {
	Name        string // with the leading slash
	Hint        string // its arguments
	Description string
}
