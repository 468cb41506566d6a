package academic

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const arxivHost = "export.arxiv.org"

func service(client *http.Client) []tools.Tool {
	return Service{client: client, pause: time.Millisecond}.Tools()
}

func call(t *testing.T, host string, handler http.HandlerFunc, name, args string, environ ...string) (string, error) {
	t.Helper()
	return toolstest.Call(t, service(toolstest.Client(t, map[string]http.HandlerFunc{host: handler})), toolstest.Env(t, environ...), name, args)
}

// The reply has the format of the OpenAPI description at
// https://api.semanticscholar.org/graph/v1/swagger.json.
const papers = `{"total":1234,"offset":0,"next":2,"data":[
 {"paperId":"a","externalIds":{"DBLP":"x","ArXiv":"1706.03762","CorpusId":13756489},"url":"https://www.semanticscholar.org/paper/a","title":"Attention\nIs All You Need","abstract":"ABSTRACT","year":2017,"citationCount":123456,
  "openAccessPdf":{"url":"https://x.org/a.pdf","status":"GREEN"},"authors":[{"authorId":"1","name":"A. One"},{"authorId":null,"name":"B. Two"},{"name":"C"},{"name":"D"},{"name":"E"}]},
 {"paperId":"b","externalIds":null,"url":"https://www.semanticscholar.org/paper/b","title":"Closed","abstract":null,"year":null,"citationCount":0,"openAccessPdf":null,"authors":[]}]}`

func TestPapersMayHaveNoAbstractYearOrPDF(t *testing.T) {
	got, err := call(t, papersHost, toolstest.Status(http.StatusOK, strings.Replace(papers, "ABSTRACT", strings.Repeat("words ", 100), 1)), "search_papers", `{"query":"attention"}`)
	if err != nil {
		t.Fatal(err)
	}
	toolstest.CheckParts(t, got, "1,234 papers match.\n\n1. Attention Is All You Need\n   A. One, B. Two, C, D, 1 more · 2017 · 123,456 citations\n   https://www.semanticscholar.org/paper/a\n   PDF: https://x.org/a.pdf\n   arXiv: https://arxiv.org/abs/1706.03762\n   words words",
		"\n\n2. Closed\n   0 citations\n   https://www.semanticscholar.org/paper/b")
	if !strings.HasSuffix(got, "/paper/b") || len(got) > 700 {
		t.Errorf("got\n%s", got)
	}
}

func TestYearsMayBeOpenOnEitherSide(t *testing.T) {
	for args, want := range map[string]string{
		`{"query":"x"}`: "", `{"query":"x","year_max":2015}`: "&year=-2015", `{"query":"x","year_min":2019}`: "&year=2019-",
		`{"query":"x","year_min":"2019","year_max":2020,"open_access":true,"max_results":99}`: "&year=2019-2020",
	} {
		_, err := call(t, papersHost, func(w http.ResponseWriter, r *http.Request) {
			if got := r.URL.RawQuery; !strings.HasPrefix(strings.TrimSuffix(got, want), "fields=title") || strings.HasSuffix(got, want) != true || want == "" && r.URL.Query().Has("year") {
				t.Errorf("%s: asked for %s", args, got)
			}
			if open := strings.Contains(args, "open_access"); r.URL.Query().Has("openAccessPdf") != open || open && r.URL.Query().Get("limit") != "20" {
				t.Errorf("%s: asked for %s", args, r.URL.RawQuery)
			}
			toolstest.Status(http.StatusOK, `{"total":0,"offset":0}`)(w, r) // like the service, without data
		}, "search_papers", args)
		if err != nil {
			t.Error(err)
		}
	}
	for args, want := range map[string]string{`{"query":"x","year_min":2020,"year_max":2019}`: "Swap the two years", `{"query":"x","year_min":-5}`: "four digits", `{"query":""}`: "query is empty"} {
		_, err := call(t, papersHost, nil, "search_papers", args)
		toolstest.CheckError(t, err, want)
	}
}

func TestASharedLimitIsTriedOnceMore(t *testing.T) {
	for failures, want := range map[int]string{1: "1,234 papers", 2: "share one limit"} {
		asked := 0
		got, err := call(t, papersHost, func(w http.ResponseWriter, r *http.Request) {
			if asked++; asked <= failures {
				toolstest.Status(http.StatusTooManyRequests, `{"message":"Too Many Requests.","code":"429"}`)(w, r)
				return
			}
			toolstest.Status(http.StatusOK, papers)(w, r)
		}, "search_papers", `{"query":"x"}`)
		if !strings.Contains(fmt.Sprint(got, err), want) || asked != 2 {
			t.Errorf("%d failures: %q, %v after %d requests", failures, got, err, asked)
		}
	}
}

func TestAKeyGoesInTheHeader(t *testing.T) {
	handler := func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Api-Key") != "S3cr3t" || strings.Contains(r.URL.RawQuery, "S3cr3t") {
			toolstest.Status(http.StatusForbidden, `{"message":"Forbidden"}`)(w, r)
			return
		}
		toolstest.Status(http.StatusOK, papers)(w, r)
	}
	if _, err := call(t, papersHost, handler, "search_papers", `{"query":"x"}`, "SEMANTIC_SCHOLAR_API_KEY=S3cr3t"); err != nil {
		t.Error(err)
	}
	_, err := call(t, papersHost, handler, "search_papers", `{"query":"x"}`, "SEMANTIC_SCHOLAR_API_KEY=wr0ng")
	toolstest.CheckError(t, err, "rejects the key in SEMANTIC_SCHOLAR_API_KEY")
	if strings.Contains(err.Error(), "wr0ng") {
		t.Error(err)
	}
}

// The feed follows the user manual (§3.3), with the https ids that arXiv returns since 2025.
func atom(entries string) string {
	return `<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/x</id><title>arXiv Query: search_query=x</title><updated>2026-11-11T18:34:08Z</updated>
  <link href="https://arxiv.org/api/query?x" type="application/atom+xml"/>
  <opensearch:totalResults>4321</opensearch:totalResults>` + entries + `</feed>`
}

const preprint = `<entry><id>http://arxiv.org/abs/2401.00001v2</id><title>Spin &amp; charge
  order</title><updated>2024-02-01T00:00:00Z</updated><published>2024-01-01T18:00:00Z</published>
  <summary>  First line
second line.</summary><category term="cond-mat.str-el" scheme="http://arxiv.org/schemas/atom"/><category term="b"/><category term="c"/><category term="d"/>
  <link href="https://arxiv.org/abs/2401.00001v2" rel="alternate" type="text/html"/><link href="http://arxiv.org/pdf/2401.00001v2" rel="related" type="application/pdf" title="pdf"/>
  <arxiv:comment>5 pages</arxiv:comment><arxiv:primary_category term="cond-mat.str-el"/><author><name>E. Noether</name></author><author><name>Ø. Ore</name></author></entry>`

func TestArxivIsReadAsXML(t *testing.T) {
	got, err := call(t, arxivHost, toolstest.AnswerPaths(t, map[string]string{
		"/api/query?max_results=5&search_query=all%3A%22spin+order%22&sortBy=submittedDate&sortOrder=descending&start=0": atom(preprint),
	}), "search_arxiv", `{"query":" spin  order","sort":"submitteddate"}`)
	want := "4,321 preprints match.\n\n1. Spin & charge order\n   E. Noether, Ø. Ore · 2024-01-01 · cond-mat.str-el, b, c\n   https://arxiv.org/abs/2401.00001v2\n   PDF: https://arxiv.org/pdf/2401.00001v2\n   First line second line."
	if err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestSeveralWordsAreAPhraseUnlessFieldsAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"spin": "all:spin", "spin order": `all:"spin order"`, `the "spin" order`: `all:"the spin order"`, "ti:spin AND au:ore": "ti:spin AND au:ore",
		"(cat:cs.LG OR cat:cs.AI)": "(cat:cs.LG OR cat:cs.AI)", "attention: a survey": `all:"attention: a survey"`, "C++": "all:C++",
	} {
		if got := searchQuery(text); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func TestAPhraseThatIsNowhereIsSearchedByWords(t *testing.T) {
	var asked []string
	got, err := call(t, arxivHost, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Query().Get("search_query"))
		if len(asked) == 1 {
			toolstest.Status(http.StatusOK, atom(""))(w, r)
			return
		}
		toolstest.Status(http.StatusOK, atom(preprint))(w, r)
	}, "search_arxiv", `{"query":"order of spin"}`)
	if err != nil || !strings.Contains(got, "Spin & charge order") || len(asked) != 2 || asked[1] != "all:order AND all:of AND all:spin" {
		t.Errorf("%q, %v after %q", got, err, asked)
	}
	got, err = call(t, arxivHost, toolstest.Status(http.StatusOK, atom("")), "search_arxiv", `{"query":"au:nobody"}`)
	if err != nil || !strings.Contains(got, "nothing for \"au:nobody\"") {
		t.Errorf("%q, %v", got, err)
	}
}

// The entry is the example in §3.4 of the manual.
func TestErrorsComeAsAnEntryTitledError(t *testing.T) {
	body := atom(`<entry><id>https://arxiv.org/api/errors#incorrect_id_format_for_1234</id><title>Error</title><summary>incorrect id format for 1234</summary><updated>2026-01-01T00:00:00Z</updated>
	<link href="https://arxiv.org/api/errors#incorrect_id_format_for_1234" rel="alternate" type="text/html"/><author><name>arXiv api core</name></author></entry>`)
	_, err := call(t, arxivHost, toolstest.Status(http.StatusOK, body), "search_arxiv", `{"query":"id:1234"}`)
	toolstest.CheckError(t, err, "does not understand the query: incorrect id format for 1234", "balanced quotes")
	_, err = call(t, arxivHost, toolstest.Status(http.StatusBadRequest, body), "search_arxiv", `{"query":"id:1234"}`)
	toolstest.CheckError(t, err, "does not understand the query")
	_, err = call(t, arxivHost, toolstest.Status(http.StatusOK, "Rate exceeded.\n"), "search_arxiv", `{"query":"x"}`)
	toolstest.CheckError(t, err, "one request every three seconds")
}

func TestTheServicesFail(t *testing.T) {
	for name, host := range map[string]string{"search_papers": papersHost, "search_arxiv": arxivHost} {
		toolstest.CheckFaults(t, host, func(client *http.Client) (string, error) {
			return toolstest.Call(t, service(client), toolstest.Env(t), name, `{"query":"x"}`)
		})
	}
	_, err := call(t, arxivHost, nil, "search_arxiv", `{"query":" "}`)
	toolstest.CheckError(t, err, "query is empty")
}
