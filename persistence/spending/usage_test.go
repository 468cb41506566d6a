package spending

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

// oneTurn has a cost that binary fractions represent exactly, so that sums can be compared.
var oneTurn = Usage{
	Cost: 0.25, Turns: 1, OllamaTurns: 1,
	ProviderTokens: map[string]Tokens{"gemini": {"input": 10, "output": 2}},
	Calls:          map[string]int{"web_search": 1},
	ModelTurns:     map[string]int{"claude-haiku-4.5": 1},
	ModelCost:      map[string]float64{"claude-haiku-4.5": 0.25},
}

const (
	addingProcesses = 20
	addsEach        = 25
)

func init() {
	storetest.Helpers["add"] = func(home string) error {
		for range addsEach {
			if err := Of(store.Open(home, storetest.Now)).Add(oneTurn); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestTwentyProcessesLoseNothing(t *testing.T) {
	home := t.TempDir()
	started := make([]*exec.Cmd, 0, addingProcesses)
	for range addingProcesses {
		cmd := storetest.Helper(t, "add", home)
		storetest.Must(t, cmd.Start())
		started = append(started, cmd)
	}
	for _, cmd := range started {
		storetest.Must(t, cmd.Wait())
	}
	if left := storetest.Get(t, store.Open(home, storetest.Now).Path("usage.journal")); left != "" {
		t.Errorf("not merged: %s", left)
	}
	got, err := Of(store.Open(home, storetest.Now)).Usage()
	storetest.Must(t, err)
	n := addingProcesses * addsEach
	want := Usage{
		Cost: 0.25 * float64(n), Turns: n, OllamaTurns: n,
		ProviderTokens: map[string]Tokens{"gemini": {"input": 10 * n, "output": 2 * n}},
		Calls:          map[string]int{"web_search": n},
		ModelTurns:     map[string]int{"claude-haiku-4.5": n},
		ModelCost:      map[string]float64{"claude-haiku-4.5": 0.25 * float64(n)},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestGoroutinesOfOneHomeLoseNothing(t *testing.T) {
	h := store.Open(t.TempDir(), storetest.Now)
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if err := Of(h).Add(oneTurn); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got, err := Of(h).Usage(); err != nil || got.Turns != 20 {
		t.Errorf("turns %d, %v", got.Turns, err)
	}
}

// Each key that the Python Marvin wrote is still there, plus the key that this Marvin adds. Keys
// that only a later Marvin knows are kept.
func TestAddKeepsWhatOtherMarvinsWrote(t *testing.T) {
	h := storetest.CopyOf(t, "../testdata/python")
	path := h.Path("usage.json")
	extended := strings.TrimSuffix(storetest.Get(t, path), "\n}") + ",\n  \"from_the_future\": {\n    \"a\": [1, 2.50]\n  }\n}"
	storetest.Put(t, path, extended)
	storetest.Must(t, Of(h).Add(Usage{Cost: 0.25, Turns: 1, ProviderTokens: map[string]Tokens{"gemini": {"input": 5}}}))
	want := `{
  "total_cost": 1.48,
  "total_llm_turns": 43,
  "total_ollama_turns": 3,
  "total_provider_tokens": {
    "gemini": {
      "input": 1005,
      "output": 200
    }
  },
  "total_calls": {
    "_provider:gemini": 3,
    "web_search": 7
  },
  "total_model_turns": {
    "claude-haiku-4.5": 42
  },
  "merged_parts": [
    "ID"
  ],
  "from_the_future": {
    "a": [
      1,
      2.50
    ]
  }
}`
	got := regexp.MustCompile(`"[A-Z2-7]{26}"`).ReplaceAllString(storetest.Get(t, path), `"ID"`)
	if got != want {
		t.Errorf("got %s", got)
	}
}

func TestFirstUsageHasTheSixKeys(t *testing.T) {
	h := store.Open(t.TempDir(), storetest.Now)
	storetest.Must(t, Of(h).Add(Usage{}))
	var keys map[string]any
	storetest.Must(t, json.Unmarshal([]byte(storetest.Get(t, h.Path("usage.json"))), &keys))
	delete(keys, "merged_parts")
	want := map[string]any{
		"total_cost": 0.0, "total_llm_turns": 0.0, "total_ollama_turns": 0.0,
		"total_provider_tokens": map[string]any{}, "total_calls": map[string]any{}, "total_model_turns": map[string]any{},
	}
	if !reflect.DeepEqual(keys, want) {
		t.Errorf("got %v", keys)
	}
}

func TestUsageOfTheTypeScriptMarvinIsIgnored(t *testing.T) {
	got, err := Of(storetest.CopyOf(t, "../testdata/typescript")).Usage()
	if err != nil || !reflect.DeepEqual(got, Usage{}) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestDamagedUsageIsKeptAndReported(t *testing.T) {
	for name, content := range map[string]string{
		"torn":        `{"total_cost": 1.2`,
		"NUL run":     strings.Repeat("\x00", 300),
		"stale tail":  `{"total_cost": 1.25}": 3}`,
		"wrong shape": `[1, 2]`,
		"wrong type":  `{"total_cost": {}}`,
	} {
		t.Run(name, func(t *testing.T) {
			h := store.Open(t.TempDir(), storetest.Now)
			path := h.Path("usage.json")
			storetest.Put(t, path, content)
			var damaged *store.RenewedError
			if _, err := Of(h).Usage(); !errors.As(err, new(*store.DamagedError)) {
				t.Fatalf("reading says %v", err)
			}
			if storetest.Get(t, path) != content {
				t.Fatal("reading changed the file")
			}
			err := Of(h).Add(oneTurn)
			if !errors.As(err, &damaged) || damaged.Kept != path+".damaged-20260214-123015" {
				t.Fatalf("adding says %v", err)
			}
			if got := storetest.Get(t, damaged.Kept); got != content {
				t.Errorf("kept %q", got)
			}
			if got, err := Of(h).Usage(); err != nil || !reflect.DeepEqual(got, oneTurn) {
				t.Errorf("the new file has %+v, %v", got, err)
			}
			// A second damaged file in the same second does not replace the first.
			storetest.Put(t, path, "!")
			if err := Of(h).Add(oneTurn); !errors.As(err, &damaged) || storetest.Get(t, damaged.Kept) != "!" {
				t.Errorf("second damage: %v", err)
			}
		})
	}
}

func TestUnreadableUsageIsNotReplaced(t *testing.T) {
	h := store.Open(t.TempDir(), storetest.Now)
	storetest.Must(t, os.MkdirAll(h.Path("usage.json"), 0o700)) // a directory cannot be read
	if err := Of(h).Add(oneTurn); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("got %v", err)
	}
	big := store.Open(t.TempDir(), storetest.Now)
	storetest.Put(t, big.Path("usage.json"), "{")
	storetest.Must(t, os.Truncate(big.Path("usage.json"), 3<<30))
	if err := Of(big).Add(oneTurn); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("got %v", err)
	}
	if info, err := os.Stat(big.Path("usage.json")); err != nil || info.Size() != 3<<30 {
		t.Errorf("the file became %v, %v", info, err)
	}
	// Sums that could not be merged are not lost.
	storetest.Must(t, os.Remove(big.Path("usage.json")))
	storetest.Must(t, Of(big).Add(oneTurn))
	if got, err := Of(big).Usage(); err != nil || got.Turns != 2 {
		t.Errorf("turns %d, %v", got.Turns, err)
	}
}

// A merge that is killed after it replaced usage.json leaves lines in the journal that are already
// in the sums. A full disk or a power cut leaves a partial line.
func TestJournalOfAKilledMergeCountsOnce(t *testing.T) {
	h := store.Open(t.TempDir(), storetest.Now)
	storetest.Must(t, Of(h).Add(oneTurn))
	storetest.Must(t, Of(h).journal().append(oneTurn))
	merged := storetest.Get(t, h.Path("usage.journal"))
	storetest.Must(t, Of(h).Add(oneTurn))
	storetest.Put(t, h.Path("usage.journal"), merged+`{"id":"X","total_llm_tu`)
	if got, err := Of(h).Usage(); err != nil || got.Turns != 3 {
		t.Errorf("turns %d, %v", got.Turns, err)
	}
	var damaged *store.RenewedError
	if err := Of(h).Add(oneTurn); !errors.As(err, &damaged) || !strings.Contains(storetest.Get(t, damaged.Kept), `"total_llm_tu`) {
		t.Errorf("half a line: %v", err)
	}
	if got, err := Of(h).Usage(); err != nil || got.Turns != 4 || got.Cost != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if left := storetest.Get(t, h.Path("usage.journal")); left != "" {
		t.Errorf("the journal still has %s", left)
	}
}

func TestLockedUsageIsLeftToItsOwner(t *testing.T) {
	h := store.Open(t.TempDir(), storetest.Now)
	_, unlock, err := h.LockFile(h.Path("usage.json"), 0)
	storetest.Must(t, err)
	storetest.Must(t, Of(h).Add(oneTurn))
	if _, err := os.Stat(h.Path("usage.json")); err == nil {
		t.Error("written without the lock")
	}
	if got, err := Of(h).Usage(); err != nil || got.Turns != 1 {
		t.Errorf("turns %d, %v", got.Turns, err)
	}
	storetest.Must(t, unlock())
	storetest.Must(t, Of(h).Add(oneTurn))
	if got := storetest.Get(t, h.Path("usage.json")); !strings.Contains(got, `"total_llm_turns": 2`) {
		t.Errorf("got %s", got)
	}
}

func TestAddDoesNotChangeItsOperands(t *testing.T) {
	var total Usage
	total.add(oneTurn)
	total.add(oneTurn)
	if !maps.Equal(oneTurn.Calls, map[string]int{"web_search": 1}) || oneTurn.ProviderTokens["gemini"]["input"] != 10 {
		t.Errorf("the delta became %+v", oneTurn)
	}
}

// If the file is damaged and no new one can be written, as on a full disk, nothing is lost. No
// change is reported as made, and the journal keeps the sums.
func TestADamagedFileWithoutRoomForANewOneLosesNothing(t *testing.T) {
	h := store.Open(t.TempDir(), storetest.Now)
	path := h.Path("usage.json")
	for range 7 {
		storetest.Must(t, Of(h).Charge(oneTurn))
	}
	storetest.Put(t, path, "{")
	obstacle := filepath.Join(store.HiddenBeside(path, ".tmp"), "in the way")
	storetest.Put(t, obstacle, "")
	if err := Of(h).Merge(); err == nil || store.OnlyDamage(err) {
		t.Errorf("it is reported as merged: %v", err)
	}
	if storetest.Get(t, path) != "{" {
		t.Error("the damaged file is not in its place any more")
	}
	storetest.Must(t, os.RemoveAll(filepath.Dir(obstacle)))
	if err := Of(h).Merge(); !store.OnlyDamage(err) {
		t.Errorf("with room it says %v", err)
	}
	if got, err := Of(h).Usage(); err != nil || got.Turns != 7*oneTurn.Turns {
		t.Errorf("%d turns are left, %v", got.Turns, err)
	}
	failed := errors.New("the disk is full")
	if store.OnlyDamage(errors.Join(&store.RenewedError{Err: failed}, failed)) || store.OnlyDamage(&store.DamagedError{Err: failed}) || store.OnlyDamage(nil) {
		t.Error("a failure beside damage counts as a change that was made")
	}
}

// One absurd number from a server must not spoil the sums permanently.
func TestLifetimeSumsNeitherOverflowNorFallBelowZero(t *testing.T) {
	usage := Usage{Cost: 1, Turns: 2, ProviderTokens: map[string]Tokens{"p": {"input": math.MaxInt64, "output": 5}}, ModelCost: map[string]float64{"m": math.Inf(1)}}
	usage.add(Usage{Cost: -100, Turns: math.MinInt64, ProviderTokens: map[string]Tokens{"p": {"input": 7, "output": math.MaxInt64}}, ModelCost: map[string]float64{"m": 2}})
	usage.add(Usage{Cost: 3, ProviderTokens: map[string]Tokens{"p": {"output": 1}}})
	if usage.Cost != 3 || usage.Turns != 2 || usage.ProviderTokens["p"]["input"] != 7 || usage.ProviderTokens["p"]["output"] != 6 || usage.ModelCost["m"] != 2 {
		t.Errorf("%+v", usage)
	}
}

// A model can invent any number of names of any length. The sums stay readable, and the next charge
// shortens a file that an earlier Marvin let grow.
func TestMadeUpNamesDoNotSwellTheUsage(t *testing.T) {
	home := store.Open(t.TempDir(), time.Now)
	path := filepath.Join(home.State, "usage.json")
	old := Usage{Turns: 3, Calls: map[string]int{"a_tool": 7}}
	for i := range 100 {
		old.Calls[strings.Repeat("x", 200<<10)+strconv.Itoa(i)] = 1
	}
	encoded, err := json.Marshal(old)
	if err := errors.Join(err, os.MkdirAll(home.State, 0o700), os.WriteFile(path, encoded, 0o600)); err != nil || len(encoded) <= store.DocumentLimit {
		t.Fatal(len(encoded), err)
	}
	delta := Usage{Turns: 1, Calls: map[string]int{"a_tool": 1, strings.Repeat("y", 1<<20): 2}}
	for i := range 3 * mostNames {
		delta.Calls["made_up_"+strconv.Itoa(i)] = 1
	}
	if err := Of(home).Add(delta); err != nil {
		t.Fatal(err)
	}
	usage, err := Of(home).Usage()
	if err != nil || usage.Turns != 4 || usage.Calls["a_tool"] != 8 || usage.Calls[Unknown] < 100+2+2*mostNames {
		t.Errorf("%v: %d turns, %d, %d", err, usage.Turns, usage.Calls["a_tool"], usage.Calls[Unknown])
	}
	if info, err := os.Stat(path); err != nil || info.Size() > 1<<20 {
		t.Errorf("%d bytes, %v", info.Size(), err)
	}
}
