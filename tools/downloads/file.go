package downloads

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

type fileArgs struct {
	URL  string `json:"url" doc:"Address of the file" alias:"link,address" example:"https://go.dev/dl/go1.26.0.src.tar.gz"`
	Name string `json:"filename" doc:"Name for the saved file" default:"" alias:"name,file"`
}

func (s Service) fileTool() tools.Tool {
	return tools.New(tools.Def[fileArgs]{
		Name:   "download_file",
		Effect: tools.Writes,
		Doc:    "Save a file from the web in ~/Downloads. Never overwrites a file.",
		Examples: []string{
			"download {https://go.dev/dl/go1.26.0.src.tar.gz|url}", "save the file {https://go.dev/dl/go1.26.0.src.tar.gz|url} as {go.tar.gz|filename}",
		},
		Pool:    tools.Net,
		Sends:   func(_ tools.Env, in fileArgs) []tools.Destination { return tools.ToAddress(in.URL) },
		Timeout: 2 * time.Hour, // a stalled download ends earlier: see Service.idle
		Run:     s.file,
	})
}

func (s Service) file(ctx context.Context, env tools.Env, in fileArgs) (tools.Output, error) {
	address, err := webAddress(in.URL)
	if err != nil {
		return tools.Output{}, err
	}
	root, err := openDownloads(env)
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = root.Close() }()
	name := ""
	if in.Name != "" {
		if name, err = cleanName(in.Name); err != nil {
			return tools.Output{}, err
		}
		if err = checkFree(root, name); err != nil { // check the name before the download
			return tools.Output{}, err
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(s.idle, func() { cancel(fmt.Errorf("nothing arrived for %s", s.idle)) })
	defer silence.Stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return tools.Output{}, err
	}
	request.Header.Set("Accept-Encoding", "identity") // uncompressed, so that Content-Length is the file's size
	response, err := web.Open(s.client, request)
	if err != nil {
		return tools.Output{}, err
	}
	defer response.Body.Close()
	if name == "" {
		name = nameOf(response)
		if err = checkFree(root, name); err != nil {
			return tools.Output{}, err
		}
	}
	body := &watched{Reader: response.Body, silence: silence, idle: s.idle, total: response.ContentLength, env: env}
	written, err := save(root, name, body)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return tools.Output{}, tools.Advise(fmt.Errorf("the download stopped after %s: %w", size(written), err), "Nothing was kept. Try again later.")
	}
	path := filepath.Join(root.Name(), name)
	text := fmt.Sprintf("Saved %s (%s, %s).", tools.Visible(path), size(written), show.Line(kindOf(response), 80))
	if env.Coding {
		text += " To read it with file tools, first copy it into the working directory with cp in run_command."
	}
	return tools.Output{Text: text, View: &messages.View{Kind: messages.Path, Text: tools.Visible(path)}}, nil
}

// checkFree returns an error if the name is taken, even by a broken link.
func checkFree(root *os.Root, name string) error {
	switch _, err := root.Lstat(name); {
	case err == nil:
		return tools.Advise(fmt.Errorf("%s exists already: %w", tools.Visible(filepath.Join(root.Name(), name)), fs.ErrExist), "Give another filename. Files are never overwritten.")
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("look for %s in the downloads: %w", tools.Visible(name), err)
	}
	return nil
}

// save creates the named file only after it has copied all data to a temporary file. A failed
// download leaves neither file.
func save(root *os.Root, name string, from io.Reader) (written int64, err error) {
	part := "." + rand.Text() + ".part"
	file, err := root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return 0, err
	}
	defer func() { _ = root.Remove(part) }()
	written, err = io.Copy(file, from)
	if err = errors.Join(err, file.Close()); err != nil {
		return written, err
	}
	// Unlike Rename, Link never overwrites a file that another program has just created.
	err = root.Link(part, name)
	if err != nil && !errors.Is(err, fs.ErrExist) { // some file systems do not support links
		if err = checkFree(root, name); err == nil {
			err = root.Rename(part, name)
		}
	}
	return written, err
}

// watched is a reader that reports the progress of a download. Each read of data resets the timer
// for stalled downloads.
type watched struct {
	io.Reader
	silence     *time.Timer
	idle        time.Duration
	done, total int64 // total is -1 if the server does not send the size
	env         tools.Env
	told        time.Time
}

func (w *watched) Read(b []byte) (int, error) {
	n, err := w.Reader.Read(b)
	if n > 0 {
		w.silence.Reset(w.idle)
	}
	w.done += int64(n)
	if now := w.env.Now(); now.Sub(w.told) >= time.Second {
		if !w.told.IsZero() {
			w.env.Progress(w.line())
		}
		w.told = now
	}
	return n, err
}

func (w *watched) line() string {
	if w.total <= 0 {
		return size(w.done)
	}
	return fmt.Sprintf("%s of %s, %d%%", size(w.done), size(w.total), 100*w.done/w.total)
}
