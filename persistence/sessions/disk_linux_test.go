package sessions

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

func init() { storetest.Helpers["fill the disk of a conversation"] = fillTheConversation }

// If the disk is full in the middle of a step, only that step is lost, with an error. Earlier and
// later steps are complete.
func TestAConversationOnAFullDiskKeepsWhatWasSaid(t *testing.T) {
	cmd := storetest.Helper(t, "fill the disk of a conversation", t.TempDir())
	cmd.Stderr = nil
	storetest.InOwnMounts(t, cmd)
}

func fillTheConversation(home string) error {
	if err := syscall.Mount("none", home, "tmpfs", 0, "size=256k"); err != nil {
		return err
	}
	all := New(store.Open(home, storetest.Now))
	session, err := all.Create(Header{Dir: "/d"})
	if err != nil {
		return err
	}
	step := func(text string) Entry {
		body, _ := json.Marshal(text) // no string fails
		return Entry{Kind: "step", Body: body}
	}
	if err := session.Append(true, step("first")); err != nil {
		return err
	}
	ballast := filepath.Join(home, "ballast")
	for err := error(nil); err == nil; {
		err = store.AppendTo(ballast, make([]byte, 4096))
	}
	if err := session.Append(true, step("second"), step(strings.Repeat("second", 20_000))); !errors.Is(err, syscall.ENOSPC) {
		return errors.New("a step on a full disk says " + storetest.ErrorText(err))
	}
	if _, err := all.Create(Header{Dir: "/other"}); !errors.Is(err, syscall.ENOSPC) {
		return errors.New("a conversation on a full disk says " + storetest.ErrorText(err))
	}
	if err := os.Remove(ballast); err != nil {
		return err
	}
	if err := errors.Join(session.Append(true, step("third")), session.Close()); err != nil {
		return err
	}
	_, branch, err := all.Branch(session.Header().ID, 0, nil)
	if err != nil || len(branch) != 2 || string(branch[0].Body) != `"first"` || string(branch[1].Body) != `"third"` {
		return errors.New("what was said did not survive: " + storetest.ErrorText(err))
	}
	list, err := all.List()
	if err != nil || len(list) != 1 {
		return errors.New("the list: " + storetest.ErrorText(err))
	}
	text, err := os.ReadFile(session.path)
	if lines := strings.Split(string(text), "\n"); err != nil || len(lines) != 4 || strings.Contains(string(text), "second") {
		return fmt.Errorf("there are %d lines of it, %w", len(lines), err)
	}
	again, err := all.Open(list[0].ID)
	if err != nil {
		return err
	}
	return errors.Join(again.Append(true, step("fourth")), again.Close())
}
