package command

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"marvin/messages"
)

// This file finds and reads the pictures that a prompt names. A name is a path or "@PATH". Quoted
// paths, escaped paths and file URLs are also names, because terminals insert them for dropped
// files.

// Pictures reads the user's pictures.
type Pictures struct {
	Show Show // if nil, pictures are ignored
	// Paste, if not nil, stores the clipboard's picture in a file.
	Paste func(context.Context) (path, label string, err error)
	First []messages.Picture // pictures from the command line, for the first prompt
}

// Show reads a picture. The call can be slow. A relative path is relative to dir. If the file does
// not exist, the error is [ErrNoPicture].
type Show func(ctx context.Context, path, dir string) (messages.Picture, error)

// ErrNoPicture means that the input looks like a picture's path, but no such file exists.
var ErrNoPicture = errors.New("there is no such file")

// mostPictures is the maximum number of pictures in a prompt.
const mostPictures = 20

// picturePattern matches the extension of a picture file.
var picturePattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\.(png|jpe?g|gif|webp)$`) })

// PictureNames finds the names of pictures in text, in order. For each name, it returns the
// possible paths. It does not check whether the files exist.
func PictureNames(text string) (names [][]string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.Contains(line, ".") {
			continue
		}
		if bare := strings.TrimPrefix(line, "@"); strings.Contains(bare, " ") && strings.ContainsAny(bare[:1], "/~") && picturePattern().MatchString(bare) {
			names = append(names, []string{bare, unescaped(bare)}) // a path with spaces, unquoted, as some terminals insert it
		}
		for _, word := range words(line) {
			if readings := readings(word); len(readings) > 0 {
				names = append(names, readings)
			}
		}
	}
	return names
}

// words divides a line at spaces and tabs, except in quotes or after a backslash.
func words(line string) (all []string) {
	var word strings.Builder
	var quote, before rune
	for _, r := range line {
		switch {
		case before == '\\':
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\'' || r == '`') && strings.Trim(word.String(), "@(") == "":
			quote = r // only at the start of a word, unlike the apostrophe in "don't"
		case quote == 0 && (r == ' ' || r == '\t'): // macOS file names can contain Unicode spaces
			all = append(all, word.String())
			word.Reset()
			before = r
			continue
		}
		if before == '\\' && r == '\\' {
			before = 0
		} else {
			before = r
		}
		word.WriteRune(r)
	}
	if quote != 0 && strings.Contains(word.String(), " ") { // an unclosed quote
		rest := word.String()
		return append(all, strings.Fields(rest)...)
	}
	return append(all, word.String())
}

// readings returns the picture paths that a word can mean, or nil if the word names no picture.
func readings(word string) (paths []string) {
	word = strings.TrimLeft(word, "@(")
	if end := strings.TrimRight(word, ".,;:!?)"); picturePattern().MatchString(strings.Trim(end, "\"'`")) {
		word = end
	}
	quoted := len(word) > 2 && strings.ContainsAny(word[:1], "\"'`") && word[len(word)-1] == word[0]
	if quoted {
		word = word[1 : len(word)-1]
	}
	if !picturePattern().MatchString(word) {
		return nil
	}
	if address, ok := strings.CutPrefix(word, "file://"); ok {
		if _, path, local := strings.Cut(address, "/"); local {
			if plain, err := url.PathUnescape("/" + path); err == nil {
				return []string{plain}
			}
		}
		return nil
	}
	if strings.Contains(word, "://") {
		return nil
	}
	paths = []string{word}
	if plain := unescaped(word); !quoted && plain != word {
		paths = []string{plain, word}
	}
	return paths
}

// unescaped removes shell escapes: "a\ b" becomes "a b".
func unescaped(path string) string {
	var plain strings.Builder
	escaped := false
	for _, r := range path {
		if escaped = r == '\\' && !escaped; !escaped {
			plain.WriteRune(r)
		}
	}
	return plain.String()
}

// pendingPrompt is a prompt that waits until its pictures are read.
type pendingPrompt struct {
	prompt messages.Prompt
	submit func(messages.Prompt)
	ready  bool
}

// holder is a front end in which each prompt belongs to a request. Hold returns a function that
// submits a prompt for the request that is current when Hold is called.
type holder interface{ Hold() func(messages.Prompt) }

// send submits a prompt together with the pictures and files that its typed text mentions. Prompts
// stay in order, even if the files of an earlier prompt take longer to read.
func send(e *Engine, prompt messages.Prompt) {
	remind(e, &prompt)
	typed := prompt.Typed()
	names := PictureNames(typed)
	if e.Pictures.Show == nil || len(prompt.Pictures) > 0 {
		names = nil
	}
	looks := shouldAttach(e, typed)
	one := &pendingPrompt{prompt: prompt, submit: e.Front.Submit, ready: len(names) == 0 && !looks}
	if front, ok := e.Front.(holder); ok {
		one.submit = front.Hold()
	}
	e.sending = append(e.sending, one)
	if one.ready {
		submit(e)
		return
	}
	dir := e.Talk.Dir
	e.runOutside("look at what the prompt mentions", func(ctx context.Context) func() {
		ctx = context.WithoutCancel(ctx) // canceling a command does not affect a prompt that is already sent
		pictures, problems := look(ctx, e, names, dir)
		var attached Attached
		if looks {
			attached = e.Attach(ctx, typed, dir)
		}
		return func() {
			for _, problem := range problems {
				e.warn(problem)
			}
			if attached.Said != "" {
				e.say(attached.Said)
			}
			if len(attached.Calls) > 0 {
				partsOf(&one.prompt).Calls = attached.Calls
			}
			if attached.Provider != "" && prompt.Provider == "" {
				one.prompt.Provider = attached.Provider
				_, one.prompt.Text = FirstWord(prompt.Text)
			}
			one.prompt.Pictures, one.ready = append(one.prompt.Pictures, pictures...), true
			submit(e)
		}
	})
}

func submit(e *Engine) {
	for len(e.sending) > 0 && e.sending[0].ready {
		one := e.sending[0]
		e.sending = e.sending[1:]
		one.submit(one.prompt)
	}
}

// look reads each named picture once and skips missing files. The problems are messages about
// pictures that cannot be sent.
func look(ctx context.Context, e *Engine, names [][]string, dir string) (pictures []messages.Picture, problems []string) {
	for _, readings := range names {
		for _, path := range readings {
			picture, err := e.Pictures.Show(ctx, path, dir)
			if errors.Is(err, ErrNoPicture) {
				continue
			}
			switch {
			case err != nil:
				problems = append(problems, fmt.Sprintf("%s is not shown to the model: %v", path, err))
			case len(pictures) == mostPictures:
				return pictures, append(problems, fmt.Sprintf("A prompt can have at most %d pictures; %s and the pictures after it are left out.", mostPictures, path))
			case !slices.ContainsFunc(pictures, func(one messages.Picture) bool { return one.Path == picture.Path }):
				pictures = append(pictures, picture)
			}
			break
		}
	}
	return pictures, problems
}

// PastePicture stores the clipboard's picture in a new file. It passes the quoted path and the
// picture's label to the given function.
func PastePicture(e *Engine, put func(text, chip string)) {
	if e.Pictures.Paste == nil {
		e.warn("Marvin cannot read pictures from a clipboard here; name the file in the prompt.")
		return
	}
	e.runOutside("look at the clipboard", func(ctx context.Context) func() {
		path, label, err := e.Pictures.Paste(ctx)
		return func() {
			if err != nil {
				e.warn(err.Error())
				return
			}
			put(quotePath(path), label)
		}
	})
}

// PastedFile reports whether a pasted or dropped text could be the path of one picture. If so, it
// reads the file outside the loop, and then passes the path and a label to the given function. If
// the file is not a picture, PastedFile passes the text and "".
func PastedFile(e *Engine, text string, put func(text, chip string)) bool {
	text = strings.TrimSpace(text)
	names := PictureNames(text)
	if e.Pictures.Show == nil || len(names) == 0 || strings.Contains(text, "\n") || len(text) > 4096 {
		return false
	}
	if first := names[0]; len(names) > 1 && !slices.Contains(first, text) || !slices.ContainsFunc(readings(text), func(path string) bool { return slices.Contains(first, path) }) && !slices.Contains(first, text) {
		return false // the text contains more than the path of one picture
	}
	dir := e.Talk.Dir
	e.runOutside("look at a picture", func(ctx context.Context) func() {
		pictures, _ := look(ctx, e, names[:1], dir)
		return func() {
			if len(pictures) == 0 {
				put(text, "")
				return
			}
			put(quotePath(pictures[0].Path), messages.Labels(pictures)[0])
		}
	})
	return true
}

// quotePath quotes a path, if necessary, for [PictureNames].
func quotePath(path string) string {
	switch {
	case !strings.ContainsAny(path, " \t'\"`\\()"):
		return path
	case !strings.Contains(path, "'"):
		return "'" + path + "'"
	}
	return `"` + path + `"`
}
