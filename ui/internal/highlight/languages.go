package highlight

import (
	"strings"

	"github.com/alecthomas/chroma/v2"
)

// canonical replaces alternative names, and names of similar languages, with the name of a
// supported language. For example, it replaces "golang" with "go" and "kotlin" with "java".
func canonical(name string) string {
	name, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(name)), " ")
	name, _, _ = strings.Cut(name, "{") // as in ```go{1,3}
	switch name {
	case "golang":
		return "go"
	case "py", "python3", "pycon":
		return "python"
	case "js", "jsx", "mjs", "ts", "tsx", "typescript":
		return "javascript"
	case "sh", "shell", "zsh", "console", "shell-session", "shellsession", "terminal":
		return "bash"
	case "jsonc", "json5", "jsonl":
		return "json"
	case "yml":
		return "yaml"
	case "ini", "conf", "cfg", "properties":
		return "toml"
	case "h", "c++", "cpp", "cc", "hpp", "cxx":
		return "c"
	case "rs":
		return "rust"
	case "kotlin", "kt", "scala":
		return "java"
	case "htm", "xml", "svg", "xhtml", "vue":
		return "html"
	case "scss", "less":
		return "css"
	case "postgresql", "mysql", "sqlite", "psql":
		return "sql"
	case "patch", "udiff":
		return "diff"
	case "docker", "containerfile":
		return "dockerfile"
	case "make", "mk":
		return "makefile"
	}
	return name
}

// find returns the rules for the language with the given canonical name, or nil.
func find(name string) *language {
	switch name {
	case "go":
		return &language{
			keywords: "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var",
			builtin:  "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr true false nil iota",
			comment:  []string{`//`}, open: "/*", close: "*/", quotes: `"'`, raw: []string{"`"},
		}
	case "python":
		return &language{
			keywords: "and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield",
			builtin:  "None True False self cls int str float bool list dict set tuple bytes object type print len range",
			comment:  []string{`#`}, quotes: `"'`, long: []string{`"""`, `'''`},
			before: []rule{{`^(?:>>>|\.\.\.) `, chroma.Comment}, {`@[\w.]+`, chroma.NameDecorator}},
		}
	case "javascript":
		return &language{
			keywords: "abstract as async await break case catch class const continue debugger declare default delete do else enum export extends finally for from function get if implements import in instanceof interface keyof let namespace new of private protected public readonly return satisfies set static super switch throw try type typeof var void while yield",
			builtin:  "true false null undefined NaN Infinity this any boolean never number object string symbol unknown console Promise Array Object Map Set JSON Math",
			comment:  []string{`//`}, open: "/*", close: "*/", quotes: `"'`, long: []string{"`"},
		}
	case "bash":
		return &language{
			keywords: "if then elif else fi for while until do done case esac in function select time coproc return break continue exit local export declare readonly unset shift source alias trap set eval exec",
			builtin:  "echo printf cd read test true false sudo cat grep sed awk curl git go make docker npm pip",
			comment:  []string{`(?<![\w$])#`}, long: []string{`"`}, quotes: `'`,
			before: []rule{{`^(?:[\w.@~:/-]*[$#]) (?=\S)`, chroma.Comment}, {`\$\{[^}\n]*\}|\$[\w@*#?$!-]`, chroma.NameVariable}, {`(?<=[^\S\n])--?[\w-]+`, chroma.NameAttribute}},
		}
	case "json":
		return &language{
			builtin: "true false null", comment: []string{`//`}, open: "/*", close: "*/", quotes: `"`,
			before: []rule{{`"(?:\\[^\n]|[^"\\\n])*"(?=[^\S\n]*:)`, chroma.NameTag}, {`-(?=\d)`, chroma.LiteralNumber}},
		}
	case "yaml":
		return &language{
			builtin: "true false null yes no on off", comment: []string{`(?<!\S)#`}, quotes: `"'`,
			before: []rule{{`^(?:---|\.\.\.)`, chroma.Keyword}, {`[\w./-]+(?=[^\S\n]*:(?:\s|$))`, chroma.NameTag}, {`[&*!][\w-]+`, chroma.Keyword}},
		}
	case "toml":
		return &language{
			builtin: "true false inf nan", comment: []string{`#`, `(?<!\S);`}, quotes: `"'`, long: []string{`"""`, `'''`},
			before: []rule{{`^[^\S\n]*\[\[?[^\]\n]*\]\]?`, chroma.Keyword}, {`[\w.-]+(?=[^\S\n]*=)`, chroma.NameTag}},
		}
	case "c":
		return &language{
			keywords: "alignas alignof auto break case catch class const constexpr consteval concept continue co_await co_return co_yield decltype default delete do else enum explicit export extern final for friend goto if inline mutable namespace new noexcept operator override private protected public register requires return sizeof static static_assert static_cast struct switch template this throw try typedef typename union using virtual volatile while",
			builtin:  "bool char double float int long short signed unsigned void size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t true false nullptr NULL std string vector",
			comment:  []string{`//`}, open: "/*", close: "*/", quotes: `"'`, before: []rule{{`^[^\S\n]*#[^\S\n]*\w+(?:[^\S\n]*<[^>\n]*>)?`, chroma.Keyword}},
		}
	case "rust":
		return &language{
			keywords: "as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod move mut pub ref return static struct super trait type unsafe use where while",
			builtin:  "bool char str String Vec Option Some None Result Ok Err Box Self self true false i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64",
			comment:  []string{`//`}, open: "/*", close: "*/", long: []string{`"`},
			before: []rule{{`'(?:\\[^\n']+|[^'\\\n])'`, chroma.LiteralStringChar}, {`'\w+`, chroma.NameLabel}, {`#!?\[[^\]\n]*\]`, chroma.NameDecorator}, {`\w+!(?=[(\[{ ])`, chroma.NameFunction}},
		}
	case "java":
		return &language{
			keywords: "abstract as assert break case catch class const continue data default do else enum extends final finally for fun goto if implements import in instanceof interface is native new object override package private protected public record return sealed static super switch synchronized this throw throws trait transient try val var volatile when while with yield",
			builtin:  "boolean byte char double float int long short void true false null String Integer List Map Int Boolean Unit Any",
			comment:  []string{`//`}, open: "/*", close: "*/", quotes: `"'`, long: []string{`"""`}, before: []rule{{`@\w+`, chroma.NameDecorator}},
		}
	case "html":
		return &language{
			open: "<!--", close: "-->", quotes: `"`,
			before: []rule{{`</?[\w:-]+|/?>`, chroma.Keyword}, {`<(?:\?|!(?!--))[^>\n]*>?`, chroma.CommentPreproc}, {`[\w:@.-]+(?==)`, chroma.NameAttribute}, {`&#?\w+;`, chroma.NameEntity}},
		}
	case "css":
		return &language{
			comment: []string{`//`}, open: "/*", close: "*/", quotes: `"'`,
			before: []rule{{`@[\w-]+`, chroma.Keyword}, {`#[0-9a-fA-F]{3,8}\b`, chroma.LiteralNumber}, {`[\w-]+(?=[^\S\n]*:[^:\n{]*(?:;|$))`, chroma.NameAttribute}, {`[.#][\w-]+`, chroma.NameClass}},
		}
	case "sql":
		return &language{
			fold: true, keywords: "add all alter and as asc begin between by cascade case check column commit constraint create cross database default delete desc distinct drop else end except exists explain foreign from full group having if in index inner insert intersect into is join key left like limit not null offset on or order outer over partition primary references returning right rollback select set table then transaction truncate union unique update using values view when where with",
			builtin: "bigint blob boolean char date decimal double float int integer json jsonb numeric real serial smallint text time timestamp timestamptz uuid varchar true false avg coalesce count max min now sum",
			comment: []string{`--`}, open: "/*", close: "*/", raw: []string{`'`}, quotes: `"`,
		}
	case "diff":
		return &language{before: []rule{
			{`^(?:diff|index|new file|deleted file|rename|similarity|Only in)\b[^\n]*`, chroma.Keyword},
			{`^(?:---|\+\+\+) [^\n]*`, chroma.Keyword},
			{`^@@[^\n]*`, chroma.GenericSubheading},
			{`^[+>][^\n]*`, chroma.GenericInserted},
			{`^[-<][^\n]*`, chroma.GenericDeleted},
			{`[^\n]+`, chroma.Text},
		}}
	case "dockerfile":
		return &language{
			fold: true, keywords: "add arg cmd copy entrypoint env expose from healthcheck label maintainer onbuild run shell stopsignal user volume workdir as",
			comment: []string{`^#`}, quotes: `"'`, before: []rule{{`\$\{[^}\n]*\}|\$\w+`, chroma.NameVariable}, {`(?<=[^\S\n])--?[\w-]+`, chroma.NameAttribute}},
		}
	case "makefile":
		return &language{
			keywords: "ifeq ifneq ifdef ifndef else endif include define endef export override", comment: []string{`#`}, quotes: `"'`,
			before: []rule{{`\$[({][^)}\n]*[)}]|\$[@<^*?%$]`, chroma.NameVariable}, {`^[\w.%/ -]+(?=:(?!=))`, chroma.NameFunction}, {`[\w.]+(?=[^\S\n]*[:?+]?=)`, chroma.NameTag}},
		}
	}
	return nil
}
