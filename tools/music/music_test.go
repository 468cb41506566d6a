package music

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const host = "musicbrainz.org"

func call(t *testing.T, service http.HandlerFunc, name, args string) (string, error) {
	t.Helper()
	client := toolstest.Client(t, map[string]http.HandlerFunc{host: service})
	return toolstest.Call(t, New(client).Tools(), toolstest.Env(t), name, args)
}

// The replies have the format of the examples at https://musicbrainz.org/doc/MusicBrainz_API/Search
// and …/MusicBrainz_API/Examples.
func TestSearch(t *testing.T) {
	service := toolstest.AnswerPaths(t, map[string]string{
		"/ws/2/artist/?dismax=true&fmt=json&limit=10&query=AC%2FDC": `{"created":"2026-11-21T12:00:00Z","count":1,"offset":0,"artists":[
		 {"id":"66c662b6-6e2f-4930-8610-912e24c63ed1","type":"Group","score":100,"name":"AC/DC","sort-name":"AC/DC","country":"AU","area":{"name":"Australia"},"disambiguation":"Australian\nhard rock band","life-span":{"begin":"1973-11","end":null,"ended":null},"tags":[{"count":27,"name":"rock"}]}]}`,
		"/ws/2/release/?dismax=true&fmt=json&limit=2&query=Nevermind": `{"releases":[{"id":"b52a8f31-b5ab-34e9-92f4-f5b7110220f0","score":100,"count":1,"title":"Nevermind","status":"Official","date":"1991-09-24","country":"XE","track-count":13,
		 "artist-credit":[{"name":"Nirvana","artist":{"id":"x","name":"Nirvana"}}]},{"id":"c","score":9,"title":"Bare","artist-credit":[{"name":"A","joinphrase":" feat. "},{"name":"B"}]},{"id":"d","title":"one too many"}]}`,
		"/ws/2/recording/?fmt=json&limit=10&query=recording%3ALithium+AND+artist%3ANirvana": `{"recordings":[{"id":"r1","score":100,"title":"Lithium","length":256973,"video":null,"first-release-date":"1991-09-24","artist-credit":[{"name":"Nirvana"}]},{"id":"r2","title":"Lithium","length":null,"disambiguation":"live"}]}`,
	})
	for args, want := range map[string]string{
		`{"query":"AC/DC"}`: "1. AC/DC (Australian hard rock band)\n   Group · AU · 1973-11– · score 100\n   MBID 66c662b6-6e2f-4930-8610-912e24c63ed1",
		`{"query":"Nevermind","entity":"Album","limit":2}`: "1. Nevermind – Nirvana\n   1991-09-24 · XE · Official · 13 tracks\n   MBID b52a8f31-b5ab-34e9-92f4-f5b7110220f0\n\n" +
			"2. Bare – A feat. B\n   MBID c",
		`{"query":"recording:Lithium AND artist:Nirvana","type":"song"}`: "1. Lithium – Nirvana\n   4:17 · first released: 1991-09-24\n   MBID r1\n\n2. Lithium\n   live\n   MBID r2",
	} {
		if got, err := call(t, service, "music_search", args); err != nil || got != want {
			t.Errorf("%s: %v\n%s", args, err, got)
		}
	}
	for kind, empty := range map[string]string{"artist": `{"artists":[]}`, "track": `{"recordings":[]}`} {
		got, err := call(t, toolstest.Status(http.StatusOK, empty), "music_search", `{"query":"zzz","type":"`+kind+`"}`)
		if err != nil || !strings.Contains(got, `for "zzz"`) {
			t.Errorf("%q, %v", got, err)
		}
	}
	_, err := call(t, nil, "music_search", `{"query":""}`)
	toolstest.CheckError(t, err, "query is empty")
	_, err = call(t, nil, "music_search", `{"query":"x","type":"label"}`)
	toolstest.CheckError(t, err, "type", "recording")
}

func TestServiceGetsUserAgent(t *testing.T) {
	_, err := call(t, func(w http.ResponseWriter, r *http.Request) {
		if agent := r.Header.Get("User-Agent"); !strings.HasPrefix(agent, "Marvin/") {
			t.Errorf("the agent is %q", agent)
		}
		toolstest.Status(http.StatusOK, `{"artists":[]}`)(w, r)
	}, "music_search", `{"query":"x"}`)
	if err != nil {
		t.Error(err)
	}
}

const nirvana = "5b11f4ce-a62d-471e-81fc-a69a8278c7da"

// discography serves the pages of an artist with many works.
func discography(t *testing.T, total int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ws/2/artist/"+nirvana {
			if r.URL.RawQuery != "fmt=json&inc=genres+tags" {
				t.Errorf("asked for %s", r.URL.RawQuery)
			}
			_, _ = fmt.Fprint(w, `{"id":"`+nirvana+`","name":"Nirvana","type":"Group","country":"US","disambiguation":"","life-span":{"begin":"1987","end":"1994-04-05","ended":true},"genres":[{"name":"grunge","count":30},{"name":"rock","count":9}],"tags":[]}`)
			return
		}
		query := r.URL.Query()
		offset, _ := strconv.Atoi(query.Get("offset"))
		if r.URL.Path != "/ws/2/release-group" || query.Get("artist") != nirvana || query.Get("type") != "album|ep|single" || query.Get("limit") != "100" {
			t.Errorf("asked for %s", r.URL.RequestURI())
		}
		var groups []string
		for i := offset; i < min(offset+100, total); i++ {
			kind, secondary := [...]string{"Album", "EP", "Single"}[i%3], `[]`
			if i == 0 {
				secondary = `["Live"]`
			}
			date := fmt.Sprintf("%d-01-01", 2900-i) // the newest work is first
			if i == 3 {
				date = ""
			}
			groups = append(groups, fmt.Sprintf(`{"id":"g%d","title":"Work %d","primary-type":%q,"secondary-types":%s,"first-release-date":%q}`, i, i, kind, secondary, date))
		}
		_, _ = fmt.Fprintf(w, `{"release-group-count":%d,"release-group-offset":%d,"release-groups":[%s]}`, total, offset, strings.Join(groups, ","))
	}
}

func TestWorksBeyondTheFirstPageAreSortedByDate(t *testing.T) {
	got, err := call(t, discography(t, 150), "music_lookup", `{"id":"https://musicbrainz.org/artist/`+nirvana+`/"}`)
	if err != nil {
		t.Fatal(err)
	}
	toolstest.CheckParts(t, got, "Nirvana\nGroup · US · 1987–1994-04-05\nGenres: grunge, rock\n\nAlbums (50):\n2753-01-01  Work 147\n2756-01-01  Work 144\n",
		"… and 30 later ones\n\nEPs (50):\n2752-01-01  Work 148\n", "… and 40 later ones\n\nSingles (50):\n2751-01-01  Work 149\n", "… and 35 later ones")
	got, err = call(t, discography(t, 6), "music_lookup", `{"mbid":"`+nirvana+`"}`)
	if err != nil || !strings.Contains(got, "Albums (2):\n2900-01-01  Work 0 [Live]\nno date  Work 3\n\nEPs (2):") {
		t.Errorf("%v\n%s", err, got)
	}
	got, err = call(t, discography(t, 1000), "music_lookup", `{"mbid":"`+nirvana+`"}`)
	if err != nil || !strings.Contains(got, "only the first 500 are considered]") {
		t.Errorf("%v\n%s", err, got)
	}
	got, err = call(t, discography(t, 0), "music_lookup", `{"mbid":"`+nirvana+`"}`)
	if err != nil || got != "Nirvana\nGroup · US · 1987–1994-04-05\nGenres: grunge, rock" {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestReleaseShowsAllMedia(t *testing.T) {
	service := toolstest.AnswerPaths(t, map[string]string{"/ws/2/release/" + nirvana + "?fmt=json&inc=recordings+artist-credits+labels+genres": `{"id":"x","title":"Two Discs","status":"Official","date":"1999","country":"GB","barcode":null,
	 "artist-credit":[{"name":"Somebody","joinphrase":""}],"genres":[],"label-info":[{"catalog-number":"CAT 1","label":{"name":"Label"}},{"catalog-number":null,"label":null}],
	 "media":[{"position":1,"format":"CD","title":"","track-count":2,"tracks":[{"number":"1","position":1,"title":"One","length":61499,"recording":{"id":"r"}},{"number":"2","title":"Two","length":null}]},
	          {"position":2,"format":null,"title":"Live","track-count":1,"tracks":[{"number":"A1","title":"Three","length":3723000}]},{"position":3,"format":"DVD"}]}`})
	got, err := call(t, service, "music_lookup", `{"mbid":"`+nirvana+`","type":"album"}`)
	want := "Two Discs – Somebody\n1999 · GB · Official\nLabel: Label CAT 1, no label\n\nCD 1 (2 tracks)\n1.  One  1:01\n2.  Two\n\nMedium 2: Live (1 track)\nA1.  Three  1:02:03\n\nDVD 3 (0 tracks)"
	if err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	tracks := strings.TrimSuffix(strings.Repeat(`{"number":"1","title":"T"},`, 300), ",")
	got, err = call(t, toolstest.Status(http.StatusOK, `{"title":"Box","media":[{"position":1,"tracks":[`+tracks+`]},{"position":2,"tracks":[`+tracks+`]},{"position":3,"tracks":[`+tracks+`]}]}`), "music_lookup", `{"mbid":"`+nirvana+`","type":"release"}`)
	if err != nil || strings.Count(got, "\n") > 420 || !strings.Contains(got, "… and 200 more") || !strings.Contains(got, "Medium 3 (300 tracks)\n… and 300 more") {
		t.Errorf("%v, %d lines", err, strings.Count(got, "\n"))
	}
}

func TestRecordingsMayHaveNoLength(t *testing.T) {
	releases := strings.TrimSuffix(strings.Repeat(`{"title":"R","date":"","country":null,"id":"i"},`, 12), ",")
	for length, want := range map[string]string{"null": "Length: not known", "0": "Length: not known", "212960": "Length: 3:33"} {
		got, err := call(t, toolstest.Status(http.StatusOK, `{"title":"Song","disambiguation":"","length":`+length+`,"first-release-date":"1987-10-01","artist-credit":[{"name":"Rick","joinphrase":""}],"isrcs":["GBARL9300135"],"genres":[{"name":"pop"}],"releases":[`+releases+`]}`),
			"music_lookup", `{"mbid":"8f3471b5-7e6a-48da-86a9-c1c07a0f47ae","type":"track"}`)
		if err != nil || strings.Count(got, "- R · MBID i") != 10 {
			t.Errorf("%v\n%s", err, got)
		}
		toolstest.CheckParts(t, got, "Song – Rick\n"+want+"\nFirst released: 1987-10-01\nGenres: pop\nISRC: GBARL9300135\nOn 12 releases:\n")
	}
}

func TestIDs(t *testing.T) {
	_, err := call(t, nil, "music_lookup", `{"mbid":"Nirvana"}`)
	toolstest.CheckError(t, err, "not a MusicBrainz ID", "music_search")
	_, err = call(t, toolstest.Status(http.StatusNotFound, `{"error":"Not Found"}`), "music_lookup", `{"mbid":"`+nirvana+`"}`)
	toolstest.CheckError(t, err, "MusicBrainz has no artist "+nirvana, "another type")
}

func TestTheServiceFails(t *testing.T) {
	for name, args := range map[string]string{"music_search": `{"query":"x"}`, "music_lookup": `{"mbid":"` + nirvana + `","type":"release"}`} {
		toolstest.CheckFaults(t, host, func(client *http.Client) (string, error) {
			return toolstest.Call(t, New(client).Tools(), toolstest.Env(t), name, args)
		})
	}
	_, err := call(t, toolstest.Status(http.StatusServiceUnavailable, `{"error":"Your requests are exceeding the allowable rate limit."}`), "music_search", `{"query":"x"}`)
	toolstest.CheckError(t, err, "one request a second")
}
