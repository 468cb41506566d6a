// Package office extracts the text from documents, spreadsheets and slides. It reads OpenDocument
// and Office Open XML files, which are zip archives of XML. It starts no program, runs no code in a
// document, and fetches no external content.
package office
