package offline

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

const (
	runCommand = "run_command"
	testsName  = "tests"
)

// The reasons for not acting on a request.
const (
	severalThings = "several"
	noTests       = "no tests"
	noCommand     = "no command"
)

var (
	// runVerbs matches a request to run a shell line. The capture group contains the line.
	runVerbs = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:(?:please|hey marvin,?|marvin,?|ok|now|can you|could you|would you|bitte|kannst du(?: bitte)?|s'il te plaît|peux-tu|tu peux)[ ,]+)*` +
			`(?:run|execute|exec|führe|führ|fuehre|exécute|execute|exécuter|lance|lancer)(?:\s+(?:the (?:shell )?command|this command|the line|den befehl|das kommando|la commande))?\s*:?\s+(.+)$`)
	})
	inTheShell = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(.+?)\s+(?:in|on|with|using)\s+(?:the|a|my|bash)?\s*(?:shell|terminal|console|command line|bash)$`)
	})
	germanEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(.+?)\s+aus$`) })
)

// readCommand extracts the shell line from a request such as "run go test". The line keeps its
// punctuation, because "." and "!" have a meaning in a shell. A nonempty reason means that the line
// may be part of a sentence. ok is false if the request contains no shell line.
func readCommand(request string) (line, reason string, ok bool) {
	request = strings.TrimSpace(request)
	m := runVerbs().FindStringSubmatchIndex(request)
	if m == nil || strings.Contains(request, "\n") {
		return "", "", false
	}
	line = strings.TrimSpace(request[m[2]:m[3]])
	german := strings.Contains(folded(request[:m[2]]), "fuhr")
	if end := germanEnd().FindStringSubmatch(line); german && end != nil {
		line = end[1]
	} else if end := inTheShell().FindStringSubmatch(line); end != nil {
		line = end[1]
	}
	if inner, quoted := strings.CutPrefix(line, "`"); quoted && strings.HasSuffix(inner, "`") && strings.Count(line, "`") == 2 {
		return strings.TrimSuffix(inner, "`"), "", true
	}
	return line, doubt(line), isLine(line)
}

// isLine reports whether a line begins like a shell command.
func isLine(line string) bool {
	first, rest, _ := strings.Cut(line, " ")
	if _, known := lexicon().tables["programs"][first]; !known && !pathOfProgram().MatchString(first) && !strings.Contains(" "+rest, " -") {
		return false
	}
	second, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	return !slices.Contains(prose, strings.ToLower(second))
}

var pathOfProgram = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\.{0,2}|~|[\w.-]+)/[\w./-]+$`) })

// prose contains words that are common as the second word of a sentence but rare as the first
// argument of a program.
var prose = strings.Fields("the a an my me to this that it your our for of with and away into der die das den mein meine mir mich und le la les un une mon ma mes et de du")

// doubt returns noCommand if the line could belong to a sentence, and "" otherwise.
func doubt(line string) string {
	s := newSentence(line)
	if len(s.words) == 0 {
		return noCommand
	}
	if longestSuffix(s.words, lexicon().courtesyWords["behind"]) > 0 {
		return noCommand // it is unclear whether a word such as "please" is part of the line
	}
	for i, w := range s.words {
		if i > 0 && !w.quoted && slices.Contains([]string{"and", "then", "und", "dann", "et", "puis"}, w.folded) {
			return noCommand
		}
	}
	return ""
}

func runs(tool Tool, line string) reading {
	return reading{tool: tool, values: map[string]any{"command": line}, said: 1, score: 1}
}
