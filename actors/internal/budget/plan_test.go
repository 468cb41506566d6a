package budget

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/providers/tokens"
)

// count is the counter that the product uses.
var count = new(tokens.Counter).MeterFor("openai", "gpt-5.1").Text

// input is a conversation whose running turn begins with its last request.
func input(all []messages.Message, window int) Input {
	return Input{Messages: all, Turn: max(lastRequest(all), 0), Limits: Limits{}.Within(window), Count: count}
}

// long fills the results of a conversation with text of this many bytes each.
func long(all []messages.Message, size int) []messages.Message {
	for i := range all {
		if all[i].Role == messages.Tool {
			all[i].Result.Text = strings.Repeat(fmt.Sprintf("line %d of a long result\n", i), size/24)
		}
	}
	return all
}

func TestPlanKeepsWhatAModelNeeds(t *testing.T) {
	for _, test := range []struct{ name, signs, kept string }{
		{"the last eight messages", "uauauauauaua", "uauauaua"},
		{"a whole round at the border", "u11113a", "u1.1.3...a"},
		{"the request of a long turn", "uau111111", "u1.1.1.1."},
		{"the request that an answer belongs to", "u111au1111", "u1.1.1.1."},
		{"a round of many calls", "uau91", "u9.........1."},
	} {
		all := said(test.signs)
		plan := New(input(all, 0))
		if got := outline(plan.kept); got != test.kept {
			t.Errorf("%s: keeps %s of %s, want %s", test.name, got, outline(all), test.kept)
		}
		if last := all[lastRequest(all)]; !contains(plan.kept, last) {
			t.Errorf("%s: the last request is gone", test.name)
		}
	}
}

func TestPlanKeepsTheRequestOfTheTurnAndTheLastOne(t *testing.T) {
	all := said("uau1111u11111")
	from := input(all, 0)
	from.Turn = 2 // the later messages came while the turn ran
	result, err := New(from).Assemble(strings.Repeat("short ", 3), "")
	if err != nil {
		t.Fatal(err)
	}
	if got := outline(result.Messages); got != "Suu1.1.1.1." {
		t.Errorf("result %s", got)
	}
	if !reflect.DeepEqual(result.Messages[result.Turn], all[2]) {
		t.Errorf("the turn begins with %+v, want %+v", result.Messages[result.Turn], all[2])
	}
}

func TestTurnIsFoundInTheResult(t *testing.T) {
	for _, signs := range []string{"u1auauauauaua1u", "u1auauauauau1", "ua1ua1u1111111", "u111111111"} {
		all := long(said(signs), 2000)
		from := input(all, 0)
		result, err := New(from).Assemble("a summary", "")
		if err != nil {
			t.Fatalf("%s: %v", signs, err)
		}
		if !reflect.DeepEqual(result.Messages[result.Turn], all[from.Turn]) {
			t.Errorf("%s: the turn begins at %d of %s", signs, result.Turn, outline(result.Messages))
		}
		again := input(append([]messages.Message{{Role: messages.System, Text: summaryMark + "\nbefore"}}, all...), 0)
		again.Turn = from.Turn + 1
		if result, err = New(again).Assemble("a summary", ""); err != nil || !reflect.DeepEqual(result.Messages[result.Turn], all[from.Turn]) {
			t.Errorf("%s behind a summary: the turn begins at %d of %s, %v", signs, result.Turn, outline(result.Messages), err)
		}
		from.Turn = len(all)
		if result, err = New(from).Assemble("a summary", ""); err != nil || result.Turn != len(result.Messages) {
			t.Errorf("%s between turns: %d of %s, %v", signs, result.Turn, outline(result.Messages), err)
		}
	}
}

func TestAGiantRoundIsShortened(t *testing.T) {
	all := long(said("ua1u9"), 40_000) // 10,000 tokens each, none of them read by the model yet
	all[len(all)-10].Calls[0].Args = json.RawMessage(fmt.Sprintf(`{"path":"big.go","content":%q}`, strings.Repeat("x := 1\n", 20_000)))
	for _, window := range []int{32_768, 131_072} {
		from := input(all, window)
		result, err := New(from).Assemble("", "/backup")
		if err != nil {
			t.Fatal(err)
		}
		if result.After > from.Limits.Warn {
			t.Errorf("window %d: %d tokens are left, the warning is at %d", window, result.After, from.Limits.Warn)
		}
		if breaches := modeltest.CheckMessages(result.Messages); len(breaches) > 0 {
			t.Errorf("window %d: %v", window, breaches)
		}
		if got := outline(result.Messages); got != "Su9........." {
			t.Errorf("window %d: %s", window, got)
		}
	}
}

// A call with long arguments keeps their names and the beginning of each text, or else only their
// length.
func TestArgumentsAreShortened(t *testing.T) {
	long := strings.Repeat("x", 4000)
	for raw, want := range map[string]string{
		`{"path":"a","content":"` + long + `"}`: `{"content":"x+`,
		`{"path":"a","lines":["` + long + `"]}`: `{"left_out":"4025 bytes"}`,
		`["` + long + `"]`:                      `{"left_out":"4004 bytes"}`,
	} {
		got := string(shorterArguments(json.RawMessage(raw), 200))
		if wanted, begins := strings.CutSuffix(want, "+"); begins && (!strings.HasPrefix(got, wanted) || !strings.HasSuffix(got, `,"path":"a"}`) || len(got) > 800) || !begins && got != want {
			t.Errorf("%.40s: %.100s", raw, got)
		}
	}
}

func TestNothingIsChangedWithoutGain(t *testing.T) {
	short := said("uauaua")
	if plan := New(input(short, 0)); !plan.Empty() || plan.Parts() != 0 {
		t.Errorf("a short conversation: %d parts, drops %s", plan.Parts(), outline(plan.dropped))
	} else if _, err := plan.Assemble("summary", ""); !errors.Is(err, ErrNoGain) {
		t.Errorf("a short conversation: %v", err)
	}
	if _, err := New(input(said("uauauauauaua"), 0)).Assemble(strings.Repeat("babble ", 4000), ""); !errors.Is(err, ErrNoGain) {
		t.Errorf("a summary that is longer than the original: %v", err)
	}
	if plan := New(Input{Limits: Limits{}.Within(0), Count: count}); !plan.Empty() {
		t.Error("no conversation at all: something to drop")
	}
}

func TestPlanLeavesItsInputAlone(t *testing.T) {
	all := long(said("ua1u9u1"), 60_000)
	before := fmt.Sprintf("%+v", all)
	if _, err := New(input(all, 32_768)).Assemble("summary", "/b"); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprintf("%+v", all) != before {
		t.Error("messages of the conversation were changed")
	}
}

func TestDamagedConversationsAreSurvived(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	gains := 0
	for range 300 {
		all := long(said("u1a2u1111a3u11u11a"), 4000)
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:random.IntN(len(all))+1]
		from := input(all, 16_384)
		from.Turn = random.IntN(len(all) + 1)
		result, err := New(from).Assemble("a summary", "")
		if err != nil {
			continue
		}
		gains++
		if breaches := modeltest.CheckMessages(providers.Repair(result.Messages)); len(breaches) > 0 {
			t.Fatalf("%s became %s: %v", outline(all), outline(result.Messages), breaches)
		}
	}
	if gains < 100 {
		t.Errorf("only %d of 300 became shorter: the test shows little", gains)
	}
}

// FuzzPlan compacts random conversations for random windows, twice.
func FuzzPlan(f *testing.F) {
	f.Add("ua2u3a9u", 100, 4096, 0, "summary", 3)
	f.Add("u9999", 9000, 2048, 500, "", 0)
	f.Add("1111u11111", 3000, 0, 20_000, "\xff[Files touched]\n- x", 40)
	f.Fuzz(func(t *testing.T, signs string, size, window, fixed int, summary string, turn int) {
		signs = plain(signs)
		all := said(signs[:min(len(signs), 40)])
		if len(all) == 0 {
			return
		}
		for i := range all {
			length := max(size, 1) * (i%7 + 1) % 20_000
			switch {
			case all[i].Role == messages.Tool:
				all[i].Result.Text = strings.Repeat("résultat ", length/10+1)
			case i%5 == 0:
				all[i].Text += strings.Repeat(" word", length/10)
			case len(all[i].Calls) > 0 && i%3 == 0:
				all[i].Calls[0].Args = json.RawMessage(fmt.Sprintf(`{"path":"p","content":%q}`, strings.Repeat("code ", length/10)))
			}
		}
		from := Input{Messages: all, Turn: len(all), Fixed: max(fixed, 0) % 100_000, Limits: Limits{}.Within(2048 + max(window, 0)%300_000), Count: count}
		if turn >= 0 && turn < len(all) && all[turn].Role == messages.User {
			from.Turn = turn
		}
		for range 2 {
			before := from.Messages
			plan := New(from)
			for n := range plan.Parts() {
				if question := plan.Question(n, summary); count(question.System)+count(question.Messages[0].Text) > from.Limits.Refuse {
					t.Fatalf("part %d does not fit", n)
				}
			}
			result, err := plan.Assemble(summary, "/backup")
			if err != nil {
				if !errors.Is(err, ErrNoGain) {
					t.Fatal(err)
				}
				return
			}
			if breaches := modeltest.CheckMessages(result.Messages); len(breaches) > 0 {
				t.Fatalf("%s of %s: %v", outline(result.Messages), outline(before), breaches)
			}
			if plan.size(result.Messages) >= plan.size(before) || result.After >= result.Before {
				t.Fatalf("grew from %d to %d", result.Before, result.After)
			}
			if last := lastRequest(before); last >= 0 && !contains(result.Messages, before[last]) {
				t.Fatalf("%s of %s: the last request is gone", outline(result.Messages), outline(before))
			}
			if from.Turn < len(before) && !reflect.DeepEqual(result.Messages[result.Turn], before[from.Turn]) {
				t.Fatalf("%s of %s: the turn's request is gone", outline(result.Messages), outline(before))
			}
			if !reflect.DeepEqual(Backup(before)[0].Role, string(before[0].Role)) || !isSummary(result.Messages[0]) || !utf8.ValidString(result.Messages[0].Text) {
				t.Fatalf("the summary is %q", result.Messages[0].Text)
			}
			from.Messages, from.Turn = append(result.Messages, round(900, 2, func(int) string { return strings.Repeat("more ", 2000) })...), result.Turn
			if result.Turn == len(result.Messages) {
				from.Turn = len(from.Messages)
			}
		}
	})
}
