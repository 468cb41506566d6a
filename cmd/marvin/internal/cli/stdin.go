package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"marvin/messages"
	"marvin/tools/textfile"
)

// maxInput is the maximum number of bytes that are read as a prompt. It is far more than any model
// accepts.
const maxInput = 4 << 20

// These timeouts apply to standard input. A program that starts Marvin often passes an open pipe
// but writes nothing.
const (
	firstByte = 200 * time.Millisecond // wait for the first byte, if the prompt is not from stdin
	silence   = 10 * time.Second       // limit for each later read, if stdin is not the prompt
)

var ErrNoPrompt = errors.New("--prompt required")

// ReadPrompt returns the prompt from an option, a file or the arguments, followed by any text from
// standard input.
func ReadPrompt(opts Options, stdin *os.File) (messages.Prompt, error) {
	var none messages.Prompt
	var text string
	wait := firstByte
	if behind := strings.Join(opts.Words, " "); behind != "" && (opts.Prompt != nil && *opts.Prompt != "-" || opts.PromptFile != "" && opts.PromptFile != "-") {
		return none, fmt.Errorf("the command line has the words %q besides the prompt; put the whole prompt in quotes, or leave those words out", behind)
	}
	switch {
	case opts.PromptFile != "" && opts.PromptFile != "-":
		content, err := readCapped(opts.PromptFile)
		if err != nil {
			return none, err
		}
		if text, err = textfile.Decode(content); err != nil {
			return none, fmt.Errorf("--prompt-file: %s is %w; mention the file in the prompt instead", opts.PromptFile, err)
		}
	case opts.Prompt != nil && *opts.Prompt != "-":
		text = *opts.Prompt
	case len(opts.Words) > 0:
		text = strings.Join(opts.Words, " ")
	default:
		wait = -1 // the prompt itself
	}
	if wait < 0 && Terminal(stdin) {
		return none, ErrNoPrompt
	}
	piped, err := readPipe(stdin, wait)
	if err != nil {
		return none, err
	}
	attached, err := textfile.Decode(piped)
	if err != nil {
		return none, fmt.Errorf("standard input is %w; save it as a file, and mention the file in the prompt", err)
	}
	if attached = strings.TrimSpace(attached); attached != "" {
		if text = strings.TrimLeft(strings.ToValidUTF8(text, "�"), " \t\r\n"); text == "" {
			return messages.Say(attached), nil
		}
		return messages.Ask(messages.NewAuthored(messages.Typed, text, ""), messages.NewAuthored(messages.Piped, attached, "standard input")), nil
	}
	if strings.TrimSpace(text) == "" {
		return none, ErrNoPrompt
	}
	return messages.Say(strings.ToValidUTF8(text, "�")), nil
}

func readCapped(path string) ([]byte, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--prompt-file: there is no file %s", path)
	}
	if err != nil {
		return nil, fmt.Errorf("--prompt-file: %w", err)
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("--prompt-file: %s is a directory", path)
	}
	content, err := io.ReadAll(io.LimitReader(file, maxInput+1))
	if err != nil {
		return nil, fmt.Errorf("--prompt-file: %w", err)
	}
	if len(content) > maxInput {
		return nil, fmt.Errorf("--prompt-file: %s is larger than %d MB; mention the file in the prompt instead, so that it is read in parts", path, maxInput>>20)
	}
	return content, nil
}

// readPipe returns the content of stdin, or nil if stdin is a terminal or closed. It waits for the
// first byte for at most the given time; a negative time means no limit.
func readPipe(stdin *os.File, wait time.Duration) ([]byte, error) {
	if stdin == nil || Terminal(stdin) {
		return nil, nil
	}
	var content bytes.Buffer
	buffer := make([]byte, 64<<10)
	for {
		ready, err := WaitReadable(stdin, wait)
		if err != nil || !ready {
			return content.Bytes(), err
		}
		n, err := stdin.Read(buffer)
		content.Write(buffer[:n])
		if content.Len() > maxInput {
			return nil, fmt.Errorf("standard input is larger than %d MB; put it into a file, and mention the file in the prompt", maxInput>>20)
		}
		if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) || errors.Is(err, syscall.EBADF) {
			return content.Bytes(), nil
		}
		if err != nil {
			return nil, fmt.Errorf("read standard input: %w", err)
		}
		if wait >= 0 {
			wait = silence
		}
	}
}
