//go:build unix

package language

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"
)

func TestAFileIsFormattedAndStillTheCallersToWrite(t *testing.T) {
	for _, how := range []string{"formats", "formats versionless", "formats delays", "formats pull", "formats applies"} {
		s, root := plays(t, how, "LSP_EDIT={}")
		written := "good  \n🦊 bad \n"
		path := put(t, root, "a.txt", written)
		after, err := s.Format(limited(t, patience), File{Path: path, Content: []byte(written)})
		if err != nil || string(after) != "good\n🦊 bad\n" {
			t.Fatalf("%s: %q, %v", how, after, err)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != written {
			t.Errorf("%s: the file holds %q, %v", how, now, err)
		}
		if how == "formats versionless" {
			continue // only the first content's problems count
		}
		if report := writes(t, s, root, "a.txt", string(after)); len(report.Problems) != 1 || report.Problems[0].Text != "line: 🦊 bad" {
			t.Errorf("%s: %+v", how, report)
		}
		again, err := s.Format(limited(t, patience), File{Path: path, Content: after})
		if err != nil || string(again) != string(after) {
			t.Errorf("%s: %q, %v", how, again, err)
		}
	}
}

func TestBadFormattingGivesNothing(t *testing.T) {
	for _, how := range []string{"well", "formats badly", "formats dying", "formats twice", "formats away"} {
		s, root := plays(t, how)
		path := put(t, root, "a.txt", "good  \n")
		if after, err := s.Format(limited(t, patience), File{Path: path, Content: []byte("good  \n")}); err == nil {
			t.Errorf("%s: %q", how, after)
		}
		if s.Formats() != (how != "well") {
			t.Errorf("%s: it formats: %v", how, s.Formats())
		}
	}
	s, root := plays(t, "formats never")
	path := put(t, root, "a.txt", "good  \n")
	ctx := limited(t, 100*time.Millisecond)
	if after, err := s.Format(ctx, File{Path: path, Content: []byte("good  \n")}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%q, %v", after, err)
	}
}

func TestFormattingOfAContentThatIsGoneIsNotTaken(t *testing.T) {
	s, root := plays(t, "formats late") // it replies after the next change
	path, ctx := put(t, root, "a.txt", "one  \n"), limited(t, patience)
	failed := make(chan error, 1)
	go func() {
		_, err := s.Format(ctx, File{Path: path, Content: []byte("one  \n")})
		failed <- err
	}()
	for i := 0; ; i++ {
		if _, _, err := s.sendFile(File{Path: path, Content: fmt.Append(nil, i)}); err != nil {
			t.Fatal(err)
		}
		if err := s.conn.call(ctx, "played/nothing", nil, nil); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-failed:
			if !errors.Is(err, ErrMoved) {
				t.Errorf("%v", err)
			}
			return
		default:
		}
	}
}

func TestServersGetFileIndentation(t *testing.T) {
	for content, want := range map[string][2]any{
		"a\n\tb\n": {4, false}, "a\n    b\n  c\n": {2, true}, "a\n b\n": {4, true}, "": {4, true},
		"a\n         b\n": {4, true}, "a\n        b\n": {8, true}, "  a\n    b\n": {2, true}, "    a\n  b\n\tc\n": {4, false},
	} {
		if got := indentation(content); got["tabSize"] != want[0] || got["insertSpaces"] != want[1] {
			t.Errorf("%q: %v", content, got)
		}
	}
}
