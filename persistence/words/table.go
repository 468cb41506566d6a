package words

// Source is the name of a file that Marvin looks for in each directory from the root of the
// repository to the working directory.
type Source struct {
	Name  string // path relative to the searched directory
	From  string // the program that introduced the name
	Kind  Kind
	Below bool     // the source is a directory whose files are read
	Ends  []string // name suffixes of the files to read; used only if Below is true
	Deep  bool     // whether files in subdirectories are read
	// Substitute marks a file that usually repeats other instructions in its directory. The last
	// substitute applies, but only if the directory has no other instructions.
	Substitute bool
	Hides      string // Name of a source that is ignored in directories with this source
}

// sources is the list of sources in a project. The model reads the files of a directory in this
// order. If two files contradict each other, the later file applies.
var sources = []Source{
	{Name: ".clinerules", From: "Cline", Kind: Instructions, Substitute: true},
	{Name: ".windsurfrules", From: "Windsurf", Kind: Instructions, Substitute: true},
	{Name: ".cursorrules", From: "Cursor", Kind: Instructions, Substitute: true},
	{Name: "GEMINI.md", From: "Gemini CLI", Kind: Instructions, Substitute: true},
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

// own is the list of sources in $XDG_CONFIG_HOME/marvin.
var own = []Source{
	{Name: "AGENTS.md", From: "Marvin", Kind: Instructions},
	{Name: "rules", From: "Marvin", Kind: Rule, Below: true, Ends: []string{".md"}, Deep: true},
	{Name: "RULES.md", From: "Marvin", Kind: Sticky},
	{Name: "SYSTEM.md", From: "Marvin", Kind: System},
	{Name: "APPEND_SYSTEM.md", From: "Marvin", Kind: Addition},
}

// elsewhere is the list of other programs' instruction files in the home directory. If the user has
// no instructions for Marvin, coding mode uses the first of these files that exists.
var elsewhere = []Source{
	{Name: ".claude/CLAUDE.md", From: "Claude Code", Kind: Instructions},
	{Name: ".codex/AGENTS.md", From: "Codex", Kind: Instructions},
	{Name: ".gemini/GEMINI.md", From: "Gemini CLI", Kind: Instructions},
	{Name: ".copilot/copilot-instructions.md", From: "Copilot", Kind: Instructions},
}

// These limits prevent an untrusted project from slowing down every prompt.
const (
	fileBytes    = 256 << 10 // size limit for one file
	importBytes  = 128 << 10 // total limit for the imports of one file
	mostImports  = 40        // limit on imports per file, including nested imports
	deepest      = 5         // nesting of imports
	mostLevels   = 64        // limit on directories below the root, counted from the deepest
	mostRules    = 200       // limit on files in one directory tree
	deepestRules = 4         // nesting of directories
	headBytes    = 16 << 10  // front matter of one file
)
