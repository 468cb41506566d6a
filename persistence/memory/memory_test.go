package memory_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/memory"
)

func open(t testing.TB) (*memory.Store, *persistence.Home) {
	t.Helper()
	home := persistence.Open(t.TempDir(), func() time.Time { return time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC) })
	return memory.Open(home), home
}

// fast returns a directory in memory if there is one, because writes there do not wait for a disk.
func fast(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "marvin-memory-*")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func add(t testing.TB, store *memory.Store, text string) memory.AddResult {
	t.Helper()
	added, err := store.Add(memory.Fact{Text: text, Scope: memory.User, Source: "conversation abc/3"}, memory.Location{})
	if err != nil {
		t.Fatal(err)
	}
	return added
}

func texts(t testing.TB, store *memory.Store) (all []string) {
	t.Helper()
	facts, err := store.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, fact := range facts {
		all = append(all, fact.Text)
	}
	return all
}

func TestFactIsOneReadableLine(t *testing.T) {
	store, _ := open(t)
	add(t, store, "The user's dog is called Rex.")
	path := filepath.Join(store.Dir(), "user.md")
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), "- The user's dog is called Rex. <!-- 2026-11-28 · conversation abc/3 -->\n") {
		t.Fatalf("%v: %s", err, text)
	}
	byHand := string(text) + "\n## Work\n\nWorks at a mill\n* Bikes to work\n  in all weathers\n<!-- not a fact\n- nor this -->\n"
	if err := os.WriteFile(path, []byte(byHand), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := texts(t, store), []string{"The user's dog is called Rex.", "Works at a mill", "Bikes to work in all weathers"}; !slices.Equal(got, want) {
		t.Fatalf("%q", got)
	}
	facts, _ := store.All()
	facts = store.SetIDs(facts)
	if _, err := store.Edit(facts[2].ID, "Takes the bus to work"); err != nil {
		t.Fatal(err)
	}
	if changed, _ := os.ReadFile(path); !strings.Contains(string(changed), "## Work\n\nWorks at a mill\n- Takes the bus to work <!--") || !strings.Contains(string(changed), "- nor this -->") {
		t.Fatalf("%s", changed)
	}
}

func TestANewFactReplacesTheOneThatItContradicts(t *testing.T) {
	for _, pair := range [][2]string{
		{"My dog is called Rex", "My dog is now called Max"},
		{"The user's dog is called Rex.", "my dog's name is Max"},
		{"My favourite colour is blue", "My favorite color is... no: my favourite colour is red"},
		{"I live in Uppsala", "I live in Lund now"},
		{"I eat meat", "I do not eat meat"},
		{"I like coriander", "I hate coriander"},
		{"I have two children", "I have three children"},
		{"Mein Hund heißt Rex", "mein Hund heißt jetzt Max"},
		{"The deploy branch is main", "The deploy branch is release"},
	} {
		store, _ := open(t)
		add(t, store, pair[0])
		if added := add(t, store, pair[1]); pair[0][:5] != "My fa" && (len(added.Replaced) != 1 || len(texts(t, store)) != 1) {
			t.Errorf("%q does not replace %q: %q", pair[1], pair[0], texts(t, store))
		}
	}
	for _, pair := range [][2]string{
		{"My dog is called Rex", "My cat is called Max"},
		{"I like tea", "I like coffee"},
		{"I am a nurse", "I am vegetarian"},
		{"My dog is called Rex", "My dog is afraid of trains"},
		{"I use Go", "I use Rust"},
		{"Room 12 has a beamer", "Room 14 has a beamer"},
	} {
		if memory.SameSubject(pair[0], pair[1]) {
			t.Errorf("%q and %q hold both", pair[0], pair[1])
		}
	}
}

func TestASecretIsNotRemembered(t *testing.T) {
	store, _ := open(t)
	for _, text := range []string{
		"My OpenAI key is sk-proj-abcdefghijklmnop1234", "the wifi password is hunter2", "The password for the router: swordfish", "my PIN is 4711",
		"token ghp_0123456789abcdefABCDEF0123456789abcd", "-----BEGIN OPENSSH PRIVATE KEY-----", "my card is 4111 1111 1111 1111", "db at postgres://me:secret@host/db",
		"login: bob / pw: hunter2", "my pass\u200bword is hunter2", "my ｐａｓｓｗｏｒｄ is hunter2", "the alarm code of the office is 99812", "recovery code 1234-5678-9012", "my SSN: 078-05-1120", "Bearer abcdef0123456789abcdef",
		"das Passwort lautet geheim", "AWS AKIAIOSFODNN7EXAMPLE", "use q8Zt2LmX9vB4nR7kYw3J for staging",
	} {
		if _, err := store.Add(memory.Fact{Text: text, Scope: memory.User}, memory.Location{}); err == nil {
			t.Errorf("remembered: %s", text)
		}
		if _, err := store.Proposals().Add(memory.Proposal{Text: text, Scope: memory.User}); err == nil {
			t.Errorf("proposed: %s", text)
		}
	}
	for _, text := range []string{"My password manager is Bitwarden", "The security code is reviewed by two people", "I live at door 4711", "backup codes are in backup.go line 1200", "The API token is stored in the keychain", "Secrets never go into the log", "The fix is commit 0a5d5aeb1234567890abcdef1234567890abcdef", "My phone number is +46 18 471 00 00", "The user prefers InternationalizationUtilities over i18nHelpers"} {
		if _, err := store.Check(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// have returns the files below a directory that contain a word in any JSON spelling.
func have(t *testing.T, dir, word string) (paths []string) {
	t.Helper()
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			if data, err := os.ReadFile(path); err != nil || strings.Contains(strings.ToLower(string(data)), strings.ToLower(word)) {
				paths = append(paths, path)
			}
		}
		return nil
	})
	return paths
}

// A fact goes through a random sequence of changes before it is forgotten.
func TestForgettingLeavesNoWord(t *testing.T) {
	subjects := []string{"My dog is called %s", "I live in %s", "The user's sister is called %s.", "My dentist is Dr %s", "The project's codename is %s", "I work at %s"}
	dir := fast(t)
	for life := range 500 {
		random := rand.New(rand.NewPCG(7, uint64(life)))
		home := persistence.Open(filepath.Join(dir, fmt.Sprint(life)), func() time.Time { return time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC) })
		store := memory.Open(home)
		form, name := subjects[random.IntN(len(subjects))], func() string { return fmt.Sprintf("Zq%cx%d", 'a'+rune(random.IntN(26)), random.IntN(9000)+1000) }
		var used []string
		say := func() string { used = append(used, name()); return fmt.Sprintf(form, used[len(used)-1]) }
		scope := []memory.Scope{memory.User, memory.Profile, memory.Repository}[random.IntN(3)]
		where := memory.Location{Profile: "alex", Dir: t.TempDir()}
		fact := func(text string) {
			if _, err := store.Add(memory.Fact{Text: text, Scope: scope}, where); err != nil {
				t.Fatal(err)
			}
		}
		logs := filepath.Join(home.Data, "sessions", "p")
		if err := os.MkdirAll(logs, 0o700); err != nil {
			t.Fatal(err)
		}
		talk := func(text string) {
			inner, _ := json.Marshal(map[string]string{"fact": text, "says": `he said "` + text + `"`})
			line, _ := json.Marshal(map[string]string{"prompt": "remember that\n" + text, "args": string(inner)})
			file := filepath.Join(logs, fmt.Sprintf("%d.jsonl", random.IntN(2)))
			old, _ := os.ReadFile(file)
			if err := os.WriteFile(file, append(old, append(line, '\n')...), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(home.Data, fmt.Sprint(random.IntN(3), ".txt")), []byte("out: "+text+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		fact(say())
		add(t, store, "I like tea")
		for range random.IntN(5) {
			switch random.IntN(4) {
			case 0, 1:
				text := say()
				fact(text)
				talk(text)
			case 2:
				talk(fmt.Sprintf(form, used[len(used)-1]))
			case 3:
				if _, err := store.Proposals().Add(memory.Proposal{Text: fmt.Sprintf(form, used[0]), Scope: scope, Of: "alex"}); err != nil {
					t.Fatal(err)
				}
			}
		}
		all, _ := store.All()
		gone, err := store.Forget(memory.FindFacts(store.SetIDs(all), used[len(used)-1]))
		if err != nil || len(gone.Facts) != 1 || len(gone.Left) > 0 {
			t.Fatalf("life %d: %v %+v", life, err, gone)
		}
		for _, word := range used {
			if left := have(t, store.Dir(), word); len(left) > 0 {
				t.Fatalf("life %d: %s is still in %q", life, word, left)
			}
		}
		if _, err := store.Sweep(gone.Erasing, false); err != nil {
			t.Fatal(err)
		}
		for _, word := range used {
			if left := have(t, home.User, word); len(left) > 0 {
				data, _ := os.ReadFile(left[0])
				t.Fatalf("life %d: %s is still in %q: %s", life, word, left, data)
			}
		}
		for _, path := range have(t, logs, "prompt") {
			data, _ := os.ReadFile(path)
			for line := range strings.Lines(string(data)) {
				var object struct{ Args string }
				if json.Unmarshal([]byte(line), &object) != nil || !json.Valid([]byte(object.Args)) {
					t.Fatalf("life %d: no JSON any more: %s", life, line)
				}
			}
		}
		if !slices.Contains(texts(t, store), "I like tea") {
			t.Fatalf("life %d: another fact is gone: %q", life, texts(t, store))
		}
	}
}

func TestASweepTakesOutSentencesThatSayTheSame(t *testing.T) {
	words := memory.NewEraser(memory.Fact{Text: "The user's allergic reaction comes from hazelnut cake."})
	text := "Did you know? So a hazelnut cake gives me an allergic reaction! The cake is fine."
	if got := words.Text(text); got == text || strings.Contains(got, "hazelnut") || !strings.Contains(got, "The cake is fine") || len(got) != len(text) {
		t.Fatal(got)
	}
}

func TestImportsReadBulletsAndPreferences(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	claude, err := memory.Read(write("CLAUDE.md", "# Memory\n\nRead this.\n\n- Prefers tabs\n- Uses `go test`\n  with -race\n"))
	if want := []string{"Prefers tabs", "Uses `go test` with -race"}; err != nil || !slices.Equal(claude, want) {
		t.Fatalf("%v %q", err, claude)
	}
	preferences, err := memory.Read(write("preferences.yaml", "dietary: [vegetarian]\nfavorite_cuisines: []\nhas_car: true # a Volvo\navoid_cuisines:\n  - thai\n  - \"greek\"\nnotes: \"\"\n"))
	if want := []string{"My dietary: vegetarian", "My has car: true", "My avoid cuisines: thai, greek"}; err != nil || !slices.Equal(preferences, want) {
		t.Fatalf("%v %q", err, preferences)
	}
}

func BenchmarkTenThousandFacts(b *testing.B) {
	store, _ := open(b)
	var text strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&text, "- The user's thing number %d is kept in room %d of the house. <!-- 2026-11-28 · conversation abc/3 -->\n", i, i%97)
	}
	if err := os.MkdirAll(store.Dir(), 0o700); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(store.Dir(), "user.md"), []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		facts, err := store.Facts(memory.Location{Profile: "default"})
		if chosen := memory.Choose(facts, "where in the house is the thing number 4711?", memory.Budget); err != nil || len(chosen) == 0 || len(chosen) == len(facts) {
			b.Fatal(err, len(chosen))
		}
	}
}

// A file that an editor wrote in another encoding is not damaged further, and a byte order mark
// does not hide a fact.
func TestFilesOfOtherEditors(t *testing.T) {
	store, _ := open(t)
	path := filepath.Join(store.Dir(), "user.md")
	write := func(text string) {
		t.Helper()
		if err := os.MkdirAll(store.Dir(), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("\ufeff- my dog is called Rex\r\n")
	if added := add(t, store, "my dog is called Max"); len(added.Replaced) != 1 || len(texts(t, store)) != 1 {
		t.Errorf("%+v %q", added, texts(t, store))
	}
	for _, other := range []string{"- mein Hund hei\xdft Rex\n", "-\x00 \x00a\x00\n\x00", "\xff\xfe-\x00 \x00a\x00"} {
		write(other)
		if _, err := store.Add(memory.Fact{Text: "I live in Lund", Scope: memory.User}, memory.Location{}); err == nil || !strings.Contains(err.Error(), "iconv") {
			t.Errorf("%q: %v", other, err)
		}
		if text, _ := os.ReadFile(path); string(text) != other {
			t.Errorf("%q became %q", other, text)
		}
	}
}
