package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	written "marvin/persistence/words"
)

// systemTexts holds the options that replace or extend Marvin's own rules.
type systemTexts struct {
	System     *string `long:"system-prompt" value-name:"TEXT" description:"replace Marvin's own rules and SYSTEM.md\nThe directory, instructions, skills and tools stay in the system prompt."`
	SystemFile string  `long:"system-prompt-file" value-name:"PATH" description:"the same, but with the text from a file"`
	Append     *string `long:"append-system-prompt" value-name:"TEXT" description:"text to append to the system prompt"`
	AppendFile string  `long:"append-system-prompt-file" value-name:"PATH" description:"the same, but with the text from a file"`
}

// ReadSystemTexts returns the text of --system-prompt and the text of --append-system-prompt. Empty
// text is an error, and so is text that is too long.
func (s systemTexts) ReadSystemTexts() (all []written.File, err error) {
	for _, one := range []struct {
		kind written.Kind
		flag string
		text *string
		file string
	}{{written.System, "--system-prompt", s.System, s.SystemFile}, {written.Addition, "--append-system-prompt", s.Append, s.AppendFile}} {
		text, path, flag := "", "", one.flag
		switch {
		case one.text != nil && one.file != "":
			return nil, fmt.Errorf("%s and %s-file contradict each other; give one of them", flag, flag)
		case one.text != nil:
			text = *one.text
		case one.file != "":
			flag += "-file"
			if path, err = filepath.Abs(one.file); err == nil {
				text, err = systemFile(path)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", flag, err)
			}
		default:
			continue
		}
		switch size := len(text); {
		case strings.TrimSpace(text) == "":
			return nil, fmt.Errorf("%s is empty; to use Marvin's own rules, do not give this option", flag)
		case size > written.SystemBytes:
			return nil, fmt.Errorf("%s is longer than the limit of %d kB; keep only the rules there, and move instructions for single tasks into a skill", flag, written.SystemBytes>>10)
		}
		all = append(all, written.FromFlag(one.kind, flag, path, text))
	}
	return all, nil
}

// systemFile reads at most one byte more than [written.SystemBytes], so that the caller can detect
// a file that is too long.
func systemFile(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return "", fmt.Errorf("%s is a directory; name the file", path)
	}
	text, err := io.ReadAll(io.LimitReader(file, written.SystemBytes+1))
	return string(text), err
}
