package dev.registrar.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * An order is accepted at the displayed price if it is the product's present price or was its price until ten minutes
 * ago. The products in the cart define the boundary of an order: one query item for each product.
 *
 * @see <a href="https://dcb.events/examples/dynamic-product-price/">the published example and its cases</a>
 */
@OnEveryStore
class ProductPriceTest {
    private static final Duration TWENTY_MINUTES = Duration.ofMinutes(20);
    private static final Duration NINE_MINUTES = Duration.ofMinutes(9);

    private final ExampleStore example;
    private final Shop shop;

    ProductPriceTest(ExampleStore example) {
        this.example = example;
        this.shop = new Shop(example.emptied(), example.clock());
    }

    record ProductDefined(String productId, int price) {}

    record ProductPriceChanged(String productId, int newPrice) {}

    record ProductOrdered(String productId, int price) {}

    record Item(String productId, int price) {}

    record ProductsOrdered(List<Item> items) {}

    /** The part of an application that takes orders. Each method returns a message. */
    static final class Shop {
        static final String ORDERED = "ordered";

        private final EventStore store;
        private final InstantSource clock;

        Shop(EventStore store, InstantSource clock) {
            this.store = store;
            this.clock = clock;
        }

        /** Orders one product. */
        String order(String productId, int displayedPrice) {
            Item item = new Item(productId, displayedPrice);
            return order(List.of(item), ordered(productId, displayedPrice));
        }

        /** Orders all products in a cart, or none. */
        String order(Item... cart) {
            return order(List.of(cart), ordered(cart));
        }

        private String order(List<Item> items, Event order) {
            Projection<?>[] prices =
                    items.stream().map(ProductPrices::of).distinct().toArray(Projection<?>[]::new);
            Projected projected = store.project(prices);
            Instant now = clock.instant();
            for (Item item : items) {
                if (!projected.state(ProductPrices.of(item)).isValid(item.price(), now)) {
                    return "invalid price for product \"%s\"".formatted(item.productId());
                }
            }
            return switch (store.append(List.of(order), projected.appendCondition())) {
                case Appended appended -> ORDERED;
                case Conflict conflict -> "concurrent update";
                case StoreReplaced replaced -> "concurrent update";
            };
        }
    }

    /** A price and its start. */
    record Price(int amount, Instant since) {}

    /**
     * The prices of a product that may still be valid.
     *
     * @param latest in order; the last is the present price
     */
    record Prices(List<Price> latest) {
        private static final Duration GRACE = Duration.ofMinutes(10);

        Prices {
            latest = List.copyOf(latest);
        }

        boolean isValid(int amount, Instant now) {
            return validAt(now).stream().anyMatch(price -> price.amount() == amount);
        }

        Prices changed(Price price) {
            List<Price> prices = new ArrayList<>(latest);
            prices.add(price);
            return new Prices(new Prices(prices).validAt(price.since()));
        }

        /** All but those that were replaced more than the grace period ago. */
        private List<Price> validAt(Instant now) {
            int first = 0;
            while (first + 1 < latest.size() && latest.get(first + 1).since().isBefore(now.minus(GRACE))) {
                first++;
            }
            return latest.subList(first, latest.size());
        }
    }

    /** Follows the prices of one product. */
    record ProductPrices(String productId) implements Projection<Prices> {

        static ProductPrices of(Item item) {
            return new ProductPrices(item.productId());
        }

        @Override
        public Query query() {
            return Query.of(
                    QueryItem.types("ProductDefined", "ProductPriceChanged").tagged(tag(productId)));
        }

        @Override
        public Prices initial() {
            return new Prices(List.of());
        }

        @Override
        public Prices apply(Prices prices, SequencedEvent event) {
            int amount = event.event().type().equals("ProductDefined")
                    ? Json.data(event.event(), ProductDefined.class).price()
                    : Json.data(event.event(), ProductPriceChanged.class).newPrice();
            return prices.changed(new Price(amount, event.recordedAt()));
        }
    }

    static Event defined(String productId, int price) {
        return Json.event(new ProductDefined(productId, price), tag(productId));
    }

    static Event changed(String productId, int newPrice) {
        return Json.event(new ProductPriceChanged(productId, newPrice), tag(productId));
    }

    static Event ordered(String productId, int price) {
        return Json.event(new ProductOrdered(productId, price), tag(productId));
    }

    static Event ordered(Item... cart) {
        List<Item> items = List.of(cart);
        return Json.event(
                new ProductsOrdered(items),
                items.stream().map(item -> tag(item.productId())).distinct().toArray(String[]::new));
    }

    private static String tag(String productId) {
        return "product:" + productId;
    }

    private static String invalidPrice(String productId) {
        return "invalid price for product \"%s\"".formatted(productId);
    }

    @Test
    void a_product_is_ordered_at_its_price() {
        example.given(defined("p1", 123));

        assertThat(shop.order("p1", 123)).isEqualTo(Shop.ORDERED);
        assertThat(example.happened(ProductOrdered.class)).containsExactly(new ProductOrdered("p1", 123));
    }

    @Test
    void a_product_is_not_ordered_at_another_price() {
        example.given(defined("p1", 123));

        assertThat(shop.order("p1", 100)).isEqualTo(invalidPrice("p1"));
        assertThat(example.happened(ProductOrdered.class)).isEmpty();
    }

    @Test
    void an_unknown_product_has_no_price() {
        assertThat(shop.order("p1", 123)).isEqualTo(invalidPrice("p1"));
    }

    @Test
    void a_price_that_was_never_valid_stays_invalid() {
        example.given(TWENTY_MINUTES, defined("p1", 123));

        assertThat(shop.order("p1", 100)).isEqualTo(invalidPrice("p1"));
    }

    @Test
    void a_price_that_never_changed_stays_valid() {
        example.given(TWENTY_MINUTES, defined("p1", 123));

        assertThat(shop.order("p1", 123)).isEqualTo(Shop.ORDERED);
    }

    @Test
    void a_price_changed_twenty_minutes_ago_is_not_valid() {
        example.given(TWENTY_MINUTES, defined("p1", 123), changed("p1", 134));

        assertThat(shop.order("p1", 123)).isEqualTo(invalidPrice("p1"));
        assertThat(shop.order("p1", 134)).isEqualTo(Shop.ORDERED);
    }

    @Test
    void a_price_changed_nine_minutes_ago_and_the_new_one_are_valid() {
        example.given(TWENTY_MINUTES, defined("p1", 123));
        example.given(NINE_MINUTES, changed("p1", 134));

        assertThat(shop.order("p1", 123)).isEqualTo(Shop.ORDERED);
        assertThat(shop.order("p1", 134)).isEqualTo(Shop.ORDERED);
    }

    @Test
    void a_replaced_price_stays_valid_for_ten_minutes() {
        example.given(TWENTY_MINUTES, defined("p1", 123), defined("p2", 321));
        example.given(Duration.ofMinutes(10).plusSeconds(1), changed("p2", 432));
        example.given(Duration.ofMinutes(10), changed("p1", 134));

        assertThat(shop.order("p1", 123)).isEqualTo(Shop.ORDERED);
        assertThat(shop.order("p2", 321)).isEqualTo(invalidPrice("p2"));
    }

    @Test
    void every_price_of_the_last_ten_minutes_is_valid_but_no_earlier_one() {
        example.given(TWENTY_MINUTES, defined("p1", 1));
        example.given(Duration.ofMinutes(15), changed("p1", 2));
        example.given(NINE_MINUTES, changed("p1", 3));
        example.given(Duration.ofMinutes(1), changed("p1", 4));

        assertThat(shop.order("p1", 1)).isEqualTo(invalidPrice("p1"));
        for (int price = 2; price <= 4; price++) {
            assertThat(shop.order("p1", price)).isEqualTo(Shop.ORDERED);
        }
    }

    @Test
    void a_cart_is_ordered_when_every_price_in_it_is_valid() {
        example.given(TWENTY_MINUTES, defined("p1", 123));
        example.given(NINE_MINUTES, changed("p1", 134), defined("p2", 321));

        assertThat(shop.order(new Item("p1", 123), new Item("p2", 321))).isEqualTo(Shop.ORDERED);
        assertThat(example.happened(ProductsOrdered.class))
                .containsExactly(new ProductsOrdered(List.of(new Item("p1", 123), new Item("p2", 321))));
    }

    @Test
    void a_cart_with_one_product_is_an_order_of_a_cart() {
        example.given(defined("p1", 123));

        assertThat(shop.order(new Item("p1", 123))).isEqualTo(Shop.ORDERED);
        assertThat(example.happened(ProductsOrdered.class))
                .containsExactly(new ProductsOrdered(List.of(new Item("p1", 123))));
        assertThat(example.happened(ProductOrdered.class)).isEmpty();
    }

    @Test
    void a_cart_is_not_ordered_when_one_price_in_it_is_not_valid() {
        example.given(defined("p1", 123), defined("p2", 321));

        assertThat(shop.order(new Item("p1", 123), new Item("p2", 123))).isEqualTo(invalidPrice("p2"));
        assertThat(example.happened(ProductsOrdered.class)).isEmpty();
    }

    /*
     * The boundary of a cart with two products: a price of the second changes between the order's read and its append.
     * The price of a third product is outside the boundary.
     */
    @Test
    void only_a_change_of_a_price_in_the_cart_is_a_conflict() {
        example.given(defined("p1", 123), defined("p2", 321), defined("p3", 1));
        Projected cart = example.store().project(new ProductPrices("p1"), new ProductPrices("p2"));

        example.given(changed("p3", 2));
        assertThat(example.store().append(List.of(ordered(new Item("p1", 123))), cart.appendCondition()))
                .isInstanceOf(Appended.class);

        example.given(changed("p2", 432));
        assertThat(example.store().append(List.of(ordered(new Item("p1", 123))), cart.appendCondition()))
                .isInstanceOfSatisfying(
                        Conflict.class, conflict -> assertThat(conflict.type()).isEqualTo("ProductPriceChanged"));
    }
}
