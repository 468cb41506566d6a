//go:build unix

package language

import (
	"context"
	"os"
	"testing"
	"time"
)

// A request without a reply does not block others.
func TestOtherWindowsQuestionsDoNotBlock(t *testing.T) {
	s, root := plays(t, "silent")
	ctx, stop := context.WithCancel(t.Context())
	first := make(chan Report, 1)
	files := []File{{put(t, root, "a.txt", "bad\n"), []byte("bad\n")}}
	go func() {
		report, _ := s.Check(ctx, files)
		first <- report
	}()
	others, soon, second := []File{{put(t, root, "b.txt", "bad\n"), []byte("bad\n")}}, limited(t, 10*time.Millisecond), make(chan Report, 1)
	go func() {
		report, _ := s.Check(soon, others)
		second <- report
	}()
	select {
	case report := <-second:
		if !report.Late {
			t.Errorf("%+v", report)
		}
	case report := <-first:
		t.Errorf("the first is over: %+v", report)
	case <-time.After(patience):
		t.Error("the second waits for the first")
	}
	stop()
	<-first
}

func TestDiagnosticsOfOldContentAreDropped(t *testing.T) {
	for _, how := range []string{"well", "pull"} {
		s, root := plays(t, how)
		writes(t, s, root, "b.txt", "bad\n")
		path := put(t, root, "a.txt", "good\n")
		report, err := s.Check(limited(t, patience), []File{{Path: path, Content: []byte("bad\n")}})
		if err != nil || len(report.Problems) > 0 || !report.Late {
			t.Errorf("%s: %+v, %v", how, report, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		report, err = s.Check(limited(t, patience), []File{{Path: path, Content: []byte("bad again\n")}})
		if err != nil || len(report.Problems) > 0 || !report.Late {
			t.Errorf("%s, gone: %+v, %v", how, report, err)
		}
	}
}
