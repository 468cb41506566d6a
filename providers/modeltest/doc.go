// Package modeltest is a model server for tests: real HTTP, driven by a script,
// and as strict about requests as the strictest provider.
//
// A [Step] answers one request. The same step is spoken as OpenAI events on
// /v1/chat/completions and as Ollama lines on /api/chat, whichever is asked:
//
//	server := modeltest.Start(t,
//		modeltest.Calls(modeltest.Call{Name: "read_file", Args: `{"path":"a.go"}`}),
//		modeltest.Text("It is", " empty."),
//	)
//	// OpenAI base URL: server.URL+"/v1", Ollama base URL: server.URL
//
// A request that a real provider would refuse (see [Check]) is answered as that
// provider would, and fails the test unless the step is [Refused]. A request
// without a step, and a step without a request, fail it as well.
//
// [StartFunc] answers by looking at the request and serves any number of clients,
// [StartPipe] does the same without sockets, for testing/synctest, and [Serve] is
// for programs. Answers are flushed event by event unless a [Fault] says otherwise.
//
// The answers are [Text], [Think], [Calls], [Status], [Page] and [Refused].
// [Step.Then] joins answers and what goes wrong between them:
//
//	modeltest.Text("half").Then(modeltest.Pause(gate), modeltest.Reset())
//
// namely [Pause], [Drop], [Reset], [End], [Hang], [ErrorEvent], [Malformed], [Raw],
// [Bytes], [Garbled], [HugeLine], [EndlessThinking] and [EndlessText].
//
// [Step.With] changes how the whole answer is written:
//
//		modeltest.Text("hello").With(modeltest.Pings(), modeltest.Split(1))
//
//	  - the bytes: [SlowHeaders], [Pings], [CRLF], [NoSpace], [EventLines],
//	    [MultiLine], [ByteOrderMark], [Split], [Gzip], [ContentType], [Unended],
//	    [KeepOpen], [AtOnce], [Unflushed]
//	  - the events: [NoDone], [NoFinish], [Finish], [NoRole], [NoUsage],
//	    [UsageOnEach], [Tokens], [NamedModel], [ChangingIDs], [Nulls], [NullError],
//	    [Strangers], [ThinkField]
//	  - the calls: [NoIDs], [SameIDs], [NoIndex], [Index], [RepeatedNames],
//	    [ObjectArguments], [DoubleArguments], [Pieces], [Interleaved], [Signature];
//	    cut arguments are a [Call] with broken Args and Finish("length")
package modeltest
