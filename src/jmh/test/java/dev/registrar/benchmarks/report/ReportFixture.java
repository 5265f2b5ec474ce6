package dev.registrar.benchmarks.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** A report on results that a test chooses. */
abstract class ReportFixture {
    @TempDir
    Path directory;

    Path results;
    Path page;

    @BeforeEach
    void prepare() {
        results = directory.resolve("results.json");
        page = directory.resolve("report.html");
    }

    void report() throws IOException {
        Report.main(new String[] {results.toString(), page.toString(), ""});
    }

    /** Returns the texts of the cells of the table rows with this name. */
    Stream<List<String>> tableRows(String name) throws Exception {
        return elements(parsed(Files.readString(page)), "tr")
                .map(row -> {
                    List<String> texts = new ArrayList<>();
                    elements(row, "*").map(Element::getTextContent).forEach(texts::add);
                    elements(row, "td").map(cell -> cell.getFirstChild()).forEach(text -> {
                        if (text != null) {
                            texts.add(text.getTextContent());
                        }
                    });
                    return texts;
                })
                .filter(texts -> texts.getFirst().equals(name));
    }

    /** Returns the charts, in the order of the page. */
    Stream<Element> figures() throws Exception {
        return elements(parsed(Files.readString(page)), "figure");
    }

    /** Returns the chart with this title. */
    Element figure(String title) throws Exception {
        return figures()
                .filter(figure -> texts(figure, "figcaption").equals(List.of(title)))
                .findAny()
                .orElseThrow();
    }

    static List<String> texts(Path page, String name) throws Exception {
        return texts(parsed(Files.readString(page)).getDocumentElement(), name);
    }

    static List<String> texts(Element parent, String name) {
        return elements(parent, name)
                .map(element -> element.getTextContent().strip())
                .toList();
    }

    /** Returns the file that the page's link saves. */
    static String savedFrom(Path page) throws Exception {
        Element link = elements(parsed(Files.readString(page)), "a")
                .filter(element -> element.hasAttribute("download"))
                .findFirst()
                .orElseThrow();
        String address = link.getAttribute("href");
        return new String(Base64.getDecoder().decode(address.substring(address.indexOf(',') + 1)), UTF_8);
    }

    static Document parsed(String html) throws IOException, SAXException, ParserConfigurationException {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(html)));
    }

    static Stream<Element> elements(Document html, String name) {
        return elements(html.getDocumentElement(), name);
    }

    static Stream<Element> elements(Element parent, String name) {
        NodeList found = parent.getElementsByTagName(name);
        return IntStream.range(0, found.getLength()).mapToObj(index -> (Element) found.item(index));
    }

    /** Returns each attribute as {@code name=value}. */
    static List<String> attributes(Document html) {
        return elements(html, "*")
                .flatMap(element -> IntStream.range(0, element.getAttributes().getLength())
                        .mapToObj(index -> element.getAttributes().item(index)))
                .map(attribute -> attribute.getNodeName() + "=" + attribute.getNodeValue())
                .toList();
    }

    static List<String> valuesOf(List<String> attributes, String prefix) {
        return attributes.stream()
                .filter(attribute -> attribute.startsWith(prefix))
                .map(attribute -> attribute.substring(prefix.length()))
                .toList();
    }
}
