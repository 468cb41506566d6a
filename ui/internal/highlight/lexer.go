package highlight

import "github.com/alecthomas/chroma/v2"

// lexer returns the lexer for a language, or nil if the language is unknown. Lexers are cached.
func lexer(name string) chroma.Lexer {
	name = canonical(name)
	mutex.Lock()
	defer mutex.Unlock()
	if made, ok := lexers[name]; ok {
		return made
	}
	if lexers == nil {
		lexers = map[string]chroma.Lexer{}
	}
	known := find(name)
	if known == nil {
		return nil
	}
	made, err := chroma.NewLexer(&chroma.Config{Name: name, CaseInsensitive: known.fold}, known.rules)
	if err != nil {
		return nil
	}
	lexers[name] = made
	return made
}
