package coding

import "strings"

// typeGlobs maps language names to globs. Names such as "go" are omitted, because [globOfType]
// treats unknown names as file extensions.
var typeGlobs = map[string]string{
	"bash": "*.{sh,bash}", "shell": "*.{sh,bash,zsh}", "c": "*.{c,h}", "cpp": "*.{cc,cpp,cxx,c++,h,hh,hpp,hxx}", "csharp": "*.cs", "css": "*.{css,scss,sass,less}",
	"docker": "{Dockerfile,*.dockerfile}", "elixir": "*.{ex,exs}", "erlang": "*.{erl,hrl}", "golang": "*.go", "haskell": "*.{hs,lhs}", "html": "*.{html,htm}",
	"javascript": "*.{js,jsx,mjs,cjs}", "js": "*.{js,jsx,mjs,cjs}", "kotlin": "*.{kt,kts}", "make": "{Makefile,GNUmakefile,makefile,*.mk}", "markdown": "*.{md,markdown}",
	"md": "*.{md,markdown}", "objc": "*.{m,h}", "ocaml": "*.{ml,mli}", "perl": "*.{pl,pm}", "py": "*.{py,pyi}", "python": "*.{py,pyi}", "r": "*.{r,R}",
	"ruby": "{*.rb,Gemfile,Rakefile}", "rb": "{*.rb,Gemfile,Rakefile}", "rust": "*.rs", "sh": "*.{sh,bash}", "ts": "*.{ts,tsx,mts,cts}",
	"typescript": "*.{ts,tsx,mts,cts}", "yaml": "*.{yaml,yml}", "yml": "*.{yaml,yml}",
}

// globOfType returns the glob for the files of a language. It treats an unknown name as a file
// extension.
func globOfType(name string) string {
	name = strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(name), "*"), "."))
	if glob, ok := typeGlobs[name]; ok {
		return glob
	}
	return "*." + strings.Map(func(r rune) rune {
		if strings.ContainsRune("*?[]{}!\\/:,", r) {
			return -1
		}
		return r
	}, name)
}
