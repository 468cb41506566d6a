package door

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"marvin/messages"
	"marvin/ui/internal/beside"
	"marvin/ui/termsafe"
)

// Entry is a running conversation and the socket of its process.
type Entry struct {
	messages.Live
	Path string
}

// Resume returns a sentence that tells users how to continue the ended conversation. If the
// conversation was not stored, the sentence says so.
func (e Entry) Resume() string {
	if e.ID == Unkept(e.Process) {
		return " It was not kept."
	}
	return " Continue it with marvin -r " + termsafe.Line(e.ID) + "."
}

// Unkept returns the id of a conversation that is not stored on disk.
func Unkept(process int) string { return "p" + strconv.Itoa(process) }

// grace is the minimum age at which a dead socket is removed. The socket of a new process appears a
// moment before the process listens.
const grace = 2 * time.Second

// List returns the conversations that have a socket in dir, newest first. The second result
// contains the sockets of processes that do not answer. List removes the sockets of processes that
// have ended.
func List(ctx context.Context, dir string) (live []Entry, silent []string, err error) {
	files, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, fmt.Errorf("list the live conversations: %w", err)
	}
	var mu sync.Mutex
	var asked sync.WaitGroup
	work := beside.New()
	for _, file := range files {
		if !isSocket(file) {
			continue
		}
		path := filepath.Join(dir, file.Name())
		asked.Add(1)
		work.Start(func() {
			told, err := Status(ctx, path)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				live = append(live, Entry{told, path})
			case errors.Is(err, syscall.ECONNREFUSED):
				sweep(path)
			case !errors.Is(err, os.ErrNotExist):
				silent = append(silent, path)
			}
		}, asked.Done)
	}
	asked.Wait()
	slices.SortFunc(live, func(a, b Entry) int {
		if order := b.Since.Compare(a.Since); order != 0 {
			return order
		}
		return strings.Compare(a.ID, b.ID)
	})
	slices.Sort(silent)
	return live, silent, nil
}

// Sockets returns the number of sockets in a directory.
func Sockets(dir string) (count int) {
	files, _ := os.ReadDir(dir) // callers get the error from List
	for _, file := range files {
		if isSocket(file) {
			count++
		}
	}
	return count
}

func sweep(path string) {
	if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) > grace {
		_ = os.Remove(path) // another process might have removed the socket
	}
}

// Status connects to the socket at path, and asks the listening process for the state of its
// conversation.
func Status(ctx context.Context, path string) (messages.Live, error) {
	told, err := askOnce(ctx, path, request{Type: statusType})
	if err == nil && told.Live == nil {
		err = errors.New("the process sends no information about its conversation")
	}
	if err != nil {
		return messages.Live{}, err
	}
	return *told.Live, nil
}

// Stop connects to the socket at path, and asks the listening process to end its conversation. It
// waits for the reply.
func Stop(ctx context.Context, path string) error {
	_, err := askOnce(ctx, path, request{Type: stopType})
	return err
}

// mostToComplete is the maximum length, in bytes, of the text to complete. JSON may make the text
// six times as long, and the text must fit into the first line of a connection.
const mostToComplete = longestFirstLine / 8

// Complete connects to the socket at path, and asks the listening process to complete the last word
// of text.
func Complete(ctx context.Context, path, text string) (Completions, error) {
	wish := request{Type: completeType}
	if over := len(text) - mostToComplete; over > 0 {
		text = "\n" + strings.ToValidUTF8(text[over:], "") // the line break tells the other process that the start of the text is missing
	}
	wish.Op.Text = text
	told, err := askOnce(ctx, path, wish)
	if err != nil || told.Completions == nil {
		return Completions{}, err
	}
	return *told.Completions, nil
}

// askOnce sends a request and reads one line as the reply.
func askOnce(ctx context.Context, path string, wish request) (told reply, err error) {
	conn, lines, err := ask(ctx, path, wish)
	if err != nil {
		return told, err
	}
	defer func() { _ = conn.Close() }()
	return readReply(lines)
}
