package yamltext

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

const (
	deepestNesting = 32  // maximum nesting of brackets or list markers
	widestIndent   = 400 // columns
)

// CheckText rejects text that the parser cannot handle safely. In text that is not UTF-8, the
// parser would overlook settings that restrict Marvin. Deep nesting costs 30 KB of memory per
// level.
func CheckText(data []byte) error {
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return errors.New("it is not text in UTF-8; save it as UTF-8")
	}
	open := 0
	for number, line := range bytes.Split(data, []byte("\n")) {
		deep := nestingOf(line)
		for _, char := range line {
			switch char {
			case '[', '{':
				open++
			case ']', '}':
				open = max(0, open-1)
			}
			deep = max(deep, open)
		}
		if deep > deepestNesting {
			return fmt.Errorf("line %d is nested more than %d levels deep, deeper than any setting; correct this line", number+1, deepestNesting)
		}
	}
	return nil
}

// nestingOf returns how deeply the beginning of a line is nested. It counts the indentation and the
// list markers before the value, as in "- - - x".
func nestingOf(line []byte) int {
	rest := bytes.TrimLeft(line, " ")
	if len(line)-len(rest) > widestIndent {
		return deepestNesting + 1
	}
	deep := 0
	for len(rest) > 1 && (rest[0] == '-' || rest[0] == '?') && rest[1] == ' ' {
		rest = bytes.TrimLeft(rest[1:], " ")
		deep++
	}
	return deep
}

// DoubleStart looks for two document starts (---) with only comments between them. It returns the
// line of the second start, or 0. The parser (v1.19.2) reads the two starts as one empty document
// and ignores everything after them.
func DoubleStart(text string) (line int) {
	started := false
	for _, one := range lexer.Tokenize(text) {
		switch one.Type {
		case token.DocumentHeaderType:
			if started {
				return one.Position.Line
			}
			started = true
		case token.CommentType:
		default:
			started = false
		}
	}
	return 0
}
