package words

// Source is a name that counts, in each directory from the root of the repository down to
// the working directory.
type Source struct {
	Name  string // below such a directory
	From  string // the program that it comes from
	Kind  Kind
	Below bool // Name is a directory whose files count, by Ends
	Ends  []string
	Deep  bool // also those in directories below
	// Instead is for a file that counts only where none of the others of its directory does:
	// it was written for one program, and says the same as they do.
	Instead bool
	Hides   string // the name in the same directory that does not count beside this one
}

// sources are all names, those of one directory from the weakest to the strongest: the
// model reads them in this order, and where they contradict the later one holds.
var sources = []Source{
	{Name: ".clinerules", From: "Cline", Kind: Instructions, Instead: true},
	{Name: ".windsurfrules", From: "Windsurf", Kind: Instructions, Instead: true},
	{Name: ".cursorrules", From: "Cursor", Kind: Instructions, Instead: true},
	{Name: "GEMINI.md", From: "Gemini CLI", Kind: Instructions, Instead: true},
	{Name: ".github/copilot-instructions.md", From: "Copilot", Kind: Instructions},
	{Name: "CLAUDE.md", From: "Claude Code", Kind: Instructions},
	{Name: ".claude/CLAUDE.md", From: "Claude Code", Kind: Instructions},
	{Name: "AGENTS.md", From: "agents.md", Kind: Instructions},
	{Name: "AGENTS.override.md", From: "Codex", Kind: Instructions, Hides: "AGENTS.md"},
	{Name: ".marvin/AGENTS.md", From: "Marvin", Kind: Instructions},
	{Name: "CLAUDE.local.md", From: "Claude Code", Kind: Instructions},
	{Name: ".cursor/rules", From: "Cursor", Kind: Rule, Below: true, Ends: []string{".mdc", ".md"}, Deep: true},
	{Name: ".github/instructions", From: "Copilot", Kind: Rule, Below: true, Ends: []string{".instructions.md"}, Deep: true},
	{Name: ".claude/rules", From: "Claude Code", Kind: Rule, Below: true, Ends: []string{".md"}, Deep: true},
	{Name: ".marvin/rules", From: "Marvin", Kind: Rule, Below: true, Ends: []string{".md"}, Deep: true},
	{Name: ".marvin/RULES.md", From: "Marvin", Kind: Sticky},
	{Name: ".marvin/SYSTEM.md", From: "Marvin", Kind: System},
	{Name: ".marvin/APPEND_SYSTEM.md", From: "Marvin", Kind: Addition},
}

// own are the names in the user's own directory, $XDG_CONFIG_HOME/marvin.
var own = []Source{
	{Name: "AGENTS.md", From: "Marvin", Kind: Instructions},
	{Name: "rules", From: "Marvin", Kind: Rule, Below: true, Ends: []string{".md"}, Deep: true},
	{Name: "RULES.md", From: "Marvin", Kind: Sticky},
	{Name: "SYSTEM.md", From: "Marvin", Kind: System},
	{Name: "APPEND_SYSTEM.md", From: "Marvin", Kind: Addition},
}

// elsewhere are what people wrote at home for other programs. In coding mode the first
// that is there counts, if they wrote nothing for Marvin.
var elsewhere = []Source{
	{Name: ".claude/CLAUDE.md", From: "Claude Code", Kind: Instructions},
	{Name: ".codex/AGENTS.md", From: "Codex", Kind: Instructions},
	{Name: ".gemini/GEMINI.md", From: "Gemini CLI", Kind: Instructions},
	{Name: ".copilot/copilot-instructions.md", From: "Copilot", Kind: Instructions},
}

// What is read at most. A project comes from anywhere: it must not make each prompt slow.
const (
	fileBytes    = 256 << 10 // of one file
	importBytes  = 128 << 10 // of all that one file imports
	mostImports  = 40        // of one file
	deepest      = 5         // imports of imports
	mostLevels   = 64        // directories from the root of the repository down
	mostRules    = 200       // files of one directory of rules
	deepestRules = 4         // directories below it
	headBytes    = 16 << 10  // in front of a text
)
