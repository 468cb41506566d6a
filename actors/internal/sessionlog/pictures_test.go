package sessionlog

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
)

// picture is a result that shows a picture.
func picture(data []byte) messages.Message {
	return messages.Message{Role: messages.Tool, Result: messages.ToolResult{Call: "c", Name: "read_file", Pictures: []messages.Picture{{Type: "image/png", Data: data, Note: "small"}}}}
}

// A picture that many results show is in the log once, and in each of them when the log is read:
// from the beginning, from a compaction, on another branch, and by another process.
func TestAPictureIsWrittenOnce(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	one, other, branch := make([]byte, 100_000), make([]byte, 1000), []byte("only on one branch")
	_, _ = random.Read(one)
	_, _ = random.Read(other)
	home := persistence.Open(t.TempDir(), time.Now)
	log := New(sessions.New(home), sessions.Header{Dir: "/p"}, "", time.Now)
	same := func(text string) string { return text }
	add := func(records ...Record) {
		t.Helper()
		if err := log.Add(false, same, records...); err != nil {
			t.Fatal(err)
		}
	}
	size := func() int64 {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(home.Data, "sessions", "*", "*.jsonl"))
		if direct, _ := filepath.Glob(filepath.Join(home.Data, "sessions", "*.jsonl")); len(direct) > 0 {
			found = direct
		}
		if err != nil || len(found) != 1 {
			t.Fatalf("%v %v", found, err)
		}
		info, err := os.Stat(found[0])
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	check := func(want ...[]byte) {
		t.Helper()
		content, err := log.Content()
		if err != nil {
			t.Fatal(err)
		}
		var got [][]byte
		for _, message := range content.Messages {
			for _, picture := range message.Result.Pictures {
				if got = append(got, picture.Data); picture.Note != "small" {
					t.Errorf("its note is %q", picture.Note)
				}
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%d pictures, want %d", len(got), len(want))
		}
		for i := range got {
			if !bytes.Equal(got[i], want[i]) {
				t.Errorf("picture %d is another one, of %d bytes", i, len(got[i]))
			}
		}
	}
	turn := func(name string, pictures ...[]byte) {
		t.Helper()
		add(BeginRecord(name, messages.Message{Role: messages.User, Text: name}, State{}))
		for i, data := range pictures {
			add(MessagesRecord(name, 1+2*i, []messages.Message{{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: "c", Name: "read_file"}}}, picture(data)}))
		}
		add(EndRecord(Step{Turn: name, Offset: 1 + 2*len(pictures), Outcome: messages.Completed}, 0))
	}
	turn("t1", one, other, one)
	turn("t2", one, branch)
	check(one, other, one, one, branch)
	before := size()
	if before > 150_000 {
		t.Errorf("three times 100,000 bytes take %d", before)
	}
	if _, err := log.GoTo(6); err != nil { // between turns
		t.Fatal(err)
	}
	check(one, other, one)
	turn("t3", one, branch)
	check(one, other, one, one, branch)
	calling := messages.Message{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: "c", Name: "read_file"}}}
	add(CompactionRecord([]messages.Message{{Role: messages.User, Text: "summary"}, calling, picture(one), calling, picture(one)}, content(sessions.Header{}, nil, false, false).Frame, nil))
	turn("t4", one, other)
	check(one, one, one, other)
	id := log.ID()
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	var err error
	if log, _, err = Open(sessions.New(home), id, time.Now); err != nil {
		t.Fatal(err)
	}
	check(one, one, one, other)
	turn("t5", one)
	check(one, one, one, other, one)
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestARepeatedPictureThatIsNowhereIsAWord(t *testing.T) {
	all := []messages.Message{{Role: messages.Tool, Result: messages.ToolResult{Pictures: []messages.Picture{{Note: repeatedNote}}}}}
	var read shown
	read.restorePictures(all, []Repeat{{Hash: "none"}, {Message: 9}, {Picture: 9}, {Message: -1}, {Picture: -1}})
	if picture := all[0].Result.Pictures[0]; picture.Data != nil || picture.Note != repeatedNote {
		t.Errorf("%+v", picture)
	}
}

func TestWrittenPicturesStayInConversation(t *testing.T) {
	result := func(names ...string) messages.Message {
		message := messages.Message{Role: messages.Tool}
		for _, name := range names {
			message.Result.Pictures = append(message.Result.Pictures, messages.Picture{Type: "image/png", Data: []byte(name), Note: "of " + name})
		}
		return message
	}
	said := func() []messages.Message {
		return []messages.Message{result("a", "b"), result("a", "b", "c", "a"), result(), result("c")}
	}
	all := said()
	left, repeats := replaceRepeated(all, map[string]bool{})
	if !reflect.DeepEqual(all, said()) {
		t.Errorf("the conversation is changed: %+v", all)
	}
	var places []string
	for _, repeat := range repeats {
		places = append(places, fmt.Sprint(repeat.Message, " ", repeat.Picture, " ", repeat.Note))
	}
	if got := strings.Join(places, "; "); got != "1 0 of a; 1 1 of b; 1 3 of a; 3 0 of c" {
		t.Error(got)
	}
	if left[1].Result.Pictures[0].Data != nil || string(left[1].Result.Pictures[2].Data) != "c" || left[3].Result.Pictures[0].Note != repeatedNote {
		t.Errorf("%+v", left)
	}
}
